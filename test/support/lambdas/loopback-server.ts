import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Answers a completely received request, or does not. */
export type Behavior = (response: ServerResponse, request: ReceivedRequest) => void;

/** An HTTPS server on loopback that records requests, and counts bytes even if they form no request. */
export class LoopbackServer {
  readonly requests: ReceivedRequest[] = [];
  receivedBytes = 0;
  connections = 0;
  behavior: Behavior = (response) => response.end('{}');
  #port = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  static readonly #running = new Set<LoopbackServer>();

  private constructor(options: ServerOptions) {
    this.#server = createServer(
      { keepAliveTimeout: 0, ...options },
      (request, response) => void this.#receive(request, response),
    );
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    this.#server.on('secureConnection', (socket) => {
      socket.prependListener('data', (chunk: Buffer) => (this.receivedBytes += chunk.length));
    });
  }

  /** Stops all servers that the previous test left running. */
  static async stopAll(): Promise<void> {
    await Promise.all([...LoopbackServer.#running].map((server) => server.stop()));
  }

  static async start(options: ServerOptions): Promise<LoopbackServer> {
    const server = new LoopbackServer(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    server.#port = (server.#server.address() as AddressInfo).port;
    LoopbackServer.#running.add(server);
    return server;
  }

  /** The base URL, even after the server has stopped. */
  get url(): string {
    return `https://localhost:${this.#port}`;
  }

  async stop(): Promise<void> {
    LoopbackServer.#running.delete(this);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const received = { method, path, headers, body };
    this.requests.push(received);
    this.behavior(response, received);
  }
}
