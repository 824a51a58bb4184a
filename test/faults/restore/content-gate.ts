import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { type HttpsAnswer, sendHttps } from '../../journeys/support/https-request';
import { TLS_FAULTS } from '../support/tls-faults';
import { trustedAuthority } from '../support/wire-world';
import { bodyOf, isProcessed, type NoConnection, type PlatformFault } from './platform-fault';

/** Where the gate forwards requests. */
interface Behind {
  origin: string;
  caCertificate: string;
}

/** A completely received request. */
interface SeenRequest {
  path: string;
  authorization: string | undefined;
}

/** A TLS server in front of the platform's content interface. It applies one fault per request, in order. */
export class ContentGate {
  readonly requests: SeenRequest[] = [];
  /** A canary in the bodies that faults send. */
  readonly planted = 'ZqnPkWtmRxVbKdXjLshg';
  /** Accepted connections, and decrypted bytes received on them. */
  connections = 0;
  receivedBytes = 0;
  readonly #server: Server;
  readonly #behind: Behind;
  readonly #right: ServerOptions;
  readonly #wrong: ReadonlyMap<NoConnection, ServerOptions>;
  readonly #sockets = new Set<Socket>();
  readonly #faults: PlatformFault[] = [];
  #port = 0;

  private constructor(behind: Behind, right: ServerOptions, wrong: ReadonlyMap<NoConnection, ServerOptions>) {
    this.#behind = behind;
    this.#right = right;
    this.#wrong = wrong;
    this.#server = createServer(
      { ...right, keepAliveTimeout: 0 },
      (request, response) => void this.#receive(request, response),
    );
    this.#server.prependListener('connection', (socket: Socket) => this.#accept(socket));
    this.#server.on('secureConnection', (socket) => {
      socket.prependListener('data', (chunk: Buffer) => {
        this.receivedBytes += chunk.length;
        const [next] = this.#faults;
        if (next?.kind !== 'broken' || next.at !== 'first byte') return;
        this.#faults.shift();
        socket.destroy();
      });
    });
  }

  static async start(behind: Behind): Promise<ContentGate> {
    const wrong = new Map<NoConnection, ServerOptions>();
    for (const [why, make] of Object.entries(TLS_FAULTS)) wrong.set(why as NoConnection, await make());
    const gate = new ContentGate(behind, await (await trustedAuthority()).issue(), wrong);
    await gate.#listen();
    return gate;
  }

  /** A host name, so that it can be made unknown. */
  get origin(): string {
    return `https://localhost:${this.#port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cutConnections();
    await closed;
  }

  /** Closes idle connections. */
  cutConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Clears earlier faults, then applies these to the next requests. */
  async meet(faults: readonly PlatformFault[]): Promise<void> {
    this.#faults.splice(0, Infinity, ...faults);
    this.#server.setSecureContext(this.#right);
    if (!this.#server.listening) await this.#listen();
    [this.connections, this.receivedBytes] = [0, 0];
    this.#prepareNext();
  }

  /** Why the next connection fails; undefined if it does not. */
  get noConnection(): NoConnection | undefined {
    const [next] = this.#faults;
    return next?.kind === 'no connection' ? next.why : undefined;
  }

  #listen(): Promise<void> {
    return new Promise((resolve) =>
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#port = (this.#server.address() as AddressInfo).port;
        resolve();
      }),
    );
  }

  #prepareNext(): void {
    const why = this.noConnection;
    if (why === undefined) return;
    this.cutConnections();
    if (why === 'refused') this.#server.close();
    const wrong = this.#wrong.get(why);
    if (wrong !== undefined) this.#server.setSecureContext(wrong);
  }

  #accept(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.noConnection === 'reset before TLS') socket.resetAndDestroy();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined || request.socket.destroyed) return;
    const { method = '', url: path = '', headers } = request;
    this.requests.push({ path, authorization: headers.authorization });
    const fault = this.#faults.shift();
    if (fault === undefined || isProcessed(fault)) {
      const { 'content-type': contentType = '', authorization = '' } = headers;
      const own = await sendHttps(this.#behind.caCertificate, method, `${this.#behind.origin}${path}`, {
        headers: { 'content-type': contentType, authorization },
        body,
      });
      if (fault === undefined) sendOwn(response, own);
    }
    if (fault !== undefined) this.#fail(response, fault, path);
  }

  #fail(response: ServerResponse, fault: PlatformFault, path: string): void {
    if (fault.kind === 'answer') {
      const contentId = /\/contents\/([^/]+)\//.exec(path)?.[1] ?? '';
      const isLast = this.noConnection !== undefined;
      response.writeHead(fault.status, { ...fault.headers, ...(isLast && { connection: 'close' }) });
      response.end(fault.status === 204 ? '' : bodyOf(fault, contentId, this.planted), () =>
        this.#prepareNext(),
      );
    } else if (fault.kind === 'broken') {
      if (fault.at !== 'half the answer') response.destroy();
      else {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"id":"', () => response.destroy());
      }
    } else throw new Error(`over the wire nothing is ${fault.kind} here`);
  }
}

function sendOwn(response: ServerResponse, { status, headers, text: body }: HttpsAnswer): void {
  response.writeHead(status, { 'content-type': headers['content-type'] ?? 'text/plain' }).end(body);
}
