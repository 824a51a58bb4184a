import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { type ServerCertificate } from './certificates';

/** What the proxy does with a CONNECT: tunnels it, answers with a status, closes the connection, or never answers. */
export type ProxyBehavior = 'tunnel' | 'close' | 'hang' | number;

/** A proxy that opens TLS: the certificate it shows, and the authority of the servers behind it. */
export interface Inspection {
  shown: ServerCertificate;
  trusts: string;
}

interface ProxyOptions {
  /** Makes it an https proxy. */
  certificate?: ServerCertificate;
  /** `user:password` that it wants. */
  credentials?: string;
  inspects?: Inspection;
}

/** An HTTP proxy on loopback, with the method CONNECT alone. */
export class ConnectProxy {
  behavior: ProxyBehavior = 'tunnel';
  credentials: string | undefined;
  /** `host:port` of each CONNECT that it was asked for. */
  readonly asked: string[] = [];
  /** `host:port` of each tunnel that it opened. */
  readonly opened: string[] = [];
  /** The requests that it read, if it opens TLS: the first line of each. */
  readonly readLines: string[] = [];
  readonly #server: Server | TlsServer;
  readonly #inspects: Inspection | undefined;
  readonly #scheme: string;
  readonly #sockets = new Set<Duplex>();
  static readonly #running = new Set<ConnectProxy>();

  private constructor({ certificate, credentials, inspects }: ProxyOptions) {
    this.credentials = credentials;
    this.#inspects = inspects;
    this.#scheme = certificate === undefined ? 'http' : 'https';
    this.#server = certificate === undefined ? createServer() : createTlsServer(certificate);
    this.#server.on('connection', (socket: Socket) => this.#hold(socket));
    this.#server.on('connect', (request: IncomingMessage, socket: Duplex) => this.#connect(request, socket));
  }

  static async start(options: ProxyOptions = {}): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    ConnectProxy.#running.add(proxy);
    return proxy;
  }

  static async stopAll(): Promise<void> {
    await Promise.all([...ConnectProxy.#running].map((proxy) => proxy.stop()));
  }

  get url(): string {
    return `${this.#scheme}://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Resolves when no connection is open, of either side. */
  async idle(): Promise<void> {
    await Promise.all(
      [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
  }

  async stop(): Promise<void> {
    ConnectProxy.#running.delete(this);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #connect({ url: target = '', headers }: IncomingMessage, socket: Duplex): void {
    this.asked.push(target);
    if (this.behavior === 'hang') {
      socket.on('end', () => socket.destroy()).resume();
      return;
    }
    if (this.behavior === 'close') return void socket.end();
    const wanted = this.credentials;
    const isKnown =
      wanted === undefined ||
      headers['proxy-authorization'] === `Basic ${Buffer.from(wanted).toString('base64')}`;
    const status = !isKnown ? 407 : this.behavior === 'tunnel' ? 200 : this.behavior;
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Answer\r\ncontent-length: 5\r\n\r\nsorry`);
    const [host = '', port] = target.split(/:(?=\d+$)/);
    const upstream = connect(Number(port), host.replace(/^\[|\]$/g, ''), () => {
      this.opened.push(target);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      if (this.#inspects === undefined) socket.pipe(upstream).pipe(socket);
      else this.#inspect(this.#inspects, host, socket, upstream);
    });
    this.#hold(upstream);
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    socket.on('close', () => upstream.destroy());
  }

  /** Ends the caller's TLS, and begins one of its own with the server. */
  #inspect({ shown, trusts }: Inspection, host: string, socket: Duplex, upstream: Socket): void {
    const opened = new tls.TLSSocket(socket, { isServer: true, ...shown });
    const behind = tls.connect({ socket: upstream, servername: host, ca: trusts });
    opened.on('data', (chunk: Buffer) => this.readLines.push(chunk.toString('latin1').split('\r\n')[0]!));
    opened.pipe(behind).pipe(opened);
    for (const one of [opened, behind]) one.on('error', () => socket.destroy());
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => undefined);
  }
}
