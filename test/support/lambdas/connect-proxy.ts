import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type Duplex } from 'node:stream';
import * as tls from 'node:tls';

import { type ServerCertificate } from './certificates';

/** First byte of a TLS connection: https://www.rfc-editor.org/rfc/rfc8446#section-5.1. */
const TLS_HANDSHAKE = 22;

/** What the proxy does with a CONNECT: tunnels it, answers with a status, closes the connection, or never answers. */
export type ProxyBehavior = 'tunnel' | 'close' | 'hang' | number;

interface ProxyOptions {
  /** Makes it an https proxy. */
  certificate?: ServerCertificate;
  /** `user:password` that it wants. */
  credentials?: string;
  /** Makes it open TLS: the certificate that it shows. */
  inspectsBy?: ServerCertificate;
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
  readonly #inspectsBy: ServerCertificate | undefined;
  readonly #scheme: string;
  readonly #sockets = new Set<Duplex>();
  static readonly #running = new Set<ConnectProxy>();

  private constructor({ certificate, credentials, inspectsBy }: ProxyOptions) {
    this.credentials = credentials;
    this.#inspectsBy = inspectsBy;
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
    const { behavior } = this;
    if (behavior === 'hang') {
      socket.on('end', () => socket.destroy()).resume();
      return;
    }
    if (behavior === 'close') return void socket.end();
    const wanted = this.credentials;
    const isKnown =
      wanted === undefined ||
      headers['proxy-authorization'] === `Basic ${Buffer.from(wanted).toString('base64')}`;
    const status = !isKnown ? 407 : behavior === 'tunnel' ? 200 : behavior;
    if (status !== 200) return void socket.end(`HTTP/1.1 ${status} Answer\r\ncontent-length: 5\r\n\r\nsorry`);
    const [host = '', port] = target.split(/:(?=\d+$)/);
    const upstream = connect(Number(port), host.replace(/^\[|\]$/g, ''), () => {
      this.opened.push(target);
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.once('data', (first: Buffer) => {
        socket.pause().unshift(first);
        const isTls = first[0] === TLS_HANDSHAKE;
        if (this.#inspectsBy === undefined || !isTls) socket.pipe(upstream).pipe(socket);
        else this.#inspect(this.#inspectsBy, socket, upstream);
      });
    });
    this.#hold(upstream);
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
    socket.on('close', () => upstream.destroy());
  }

  /** Ends the caller's TLS, and begins one of its own with the server, which it trusts whatever it shows. */
  #inspect(shown: ServerCertificate, socket: Duplex, upstream: Socket): void {
    const opened = new tls.TLSSocket(socket, { isServer: true, ...shown });
    const behind = tls.connect({ socket: upstream, rejectUnauthorized: false });
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
