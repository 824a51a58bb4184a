import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Hono } from 'hono';
import { createTlsIdentity, type ServerIdentity } from './tls-identity';

const LOOPBACK = '127.0.0.1';
/** Longer than any client keeps an idle connection, so that none is closed on a request that is just being sent. */
const KEEP_ALIVE_MS = 120_000;

/** A sandbox that is being served. */
export interface RunningServer {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCertificate: string;
  /** Breaks all connections, which ends delayed requests, and stops listening. */
  close(): Promise<void>;
}

/** What answers the requests of a server. */
export type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

/** The port could not be listened on. */
export class PortUnavailableError extends Error {
  readonly code = 'port_unavailable';

  constructor(port: number, cause: NodeJS.ErrnoException) {
    const reason =
      cause.code === 'EADDRINUSE' ? 'is in use' : `is not available (${cause.code ?? 'unknown'})`;
    super(`port ${port} on ${LOOPBACK} ${reason}`, { cause });
    this.name = 'PortUnavailableError';
  }
}

/**
 * Serves an application over HTTPS (TLS 1.2 or later) on the loopback interface, with a certificate made for this run.
 * Plain HTTP fails. An answer with status 0 breaks the connection.
 * @param port 0 for any free one
 * @throws {PortUnavailableError} when the port is taken
 */
export async function startServer(app: Hono, port: number): Promise<RunningServer> {
  const { caCertificate, ...identity } = await createTlsIdentity();
  const server = await SecurePort.listen(port, app.fetch, () => identity);
  return { origin: server.origin, caCertificate, close: () => server.close() };
}

/** One port of the loopback interface, on which HTTPS is spoken. */
export class SecurePort {
  readonly #server: Server;
  /** All that are open: the server itself forgets those on which the handshake is not over. */
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /**
   * @param port 0 for any free one
   * @param fetch an answer with status 0 breaks the connection
   * @param identityOf asked at each new connection what it is to be presented
   * @throws {PortUnavailableError} when the port is taken
   */
  static async listen(port: number, fetch: Fetch, identityOf: () => ServerIdentity): Promise<SecurePort> {
    const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, requestListener(fetch));
    let presented: ServerIdentity | undefined;
    // Runs before the listener with which the server begins the handshake: what is set here holds for this connection.
    server.prependListener('connection', () => {
      const identity = identityOf();
      if (identity !== presented) server.setSecureContext(secureContext(identity));
      presented = identity;
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new PortUnavailableError(port, error)));
      server.listen(port, LOOPBACK, resolve);
    });
    return new SecurePort(server);
  }

  /** `https://127.0.0.1:PORT` */
  get origin(): string {
    return `https://${LOOPBACK}:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes the connections on which no request is being answered, so that their clients have to open new ones. */
  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  /** Breaks all connections and stops listening. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#sockets) socket.destroy();
    });
  }
}

function secureContext({ certificate, privateKey }: ServerIdentity): ServerOptions {
  return { cert: certificate, key: privateKey, minVersion: 'TLSv1.2' };
}

function requestListener(fetch: Fetch) {
  const listener = getRequestListener(async (request, env) => {
    // The server speaks HTTP/1.1 only.
    const bindings = env as HttpBindings;
    // Some hosts are found to be none only when something asks for a part of the URL.
    if (!URL.canParse(request.url)) return new Response(null, { status: 400 });
    const response = await fetch(request, bindings);
    if (response.status !== 0) return response;
    bindings.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return (...args: Parameters<typeof listener>) => void listener(...args);
}
