import { createServer, type Server, type ServerOptions } from 'node:https';
import { type AddressInfo, type Socket } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Hono } from 'hono';
import { createTlsIdentity, type ServerIdentity } from './tls-identity';

const LOOPBACK = '127.0.0.1';

export interface RunningServer {
  /** `https://127.0.0.1:PORT` */
  readonly origin: string;
  /** The CA certificate to trust, PEM. */
  readonly caCertificate: string;
  /** Stops listening and breaks all connections, including those of delayed requests. */
  close(): Promise<void>;
  unref(): void;
}

/** Answers a request. Status 0 breaks the connection. */
export type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>;

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
 * Serves an application over HTTPS (TLS 1.2 or later) on the loopback interface, with a new certificate. Plain HTTP fails.
 * @param port 0 picks a free port
 * @throws {PortUnavailableError} if the port is in use
 */
export async function startServer(app: Hono, port: number): Promise<RunningServer> {
  const { caCertificate, ...identity } = await createTlsIdentity();
  const server = await SecurePort.listen(port, app.fetch, () => identity);
  return {
    origin: server.origin,
    caCertificate,
    close: () => server.close(),
    unref: () => server.unref(),
  };
}

/** One HTTPS port, which can present another certificate to each new connection. */
export class SecurePort {
  readonly #server: Server;
  /** All open sockets. Node's server does not track those still in the TLS handshake. */
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /**
   * @param port 0 picks a free port
   * @param identityOf called for each new connection; returns the certificate to present
   * @throws {PortUnavailableError} if the port is in use
   */
  static async listen(port: number, fetch: Fetch, identityOf: () => ServerIdentity): Promise<SecurePort> {
    // Never closes an idle connection: a client might be about to send a request on it.
    const server = createServer({ keepAliveTimeout: 0 }, requestListener(fetch));
    let presented: ServerIdentity | undefined;
    // Runs before the server's own listener starts the handshake, so the context applies to this connection.
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

  /** Closes idle connections, so that clients must open new ones. */
  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  /** Lets the process exit while the port still listens, or has open connections. */
  unref(): void {
    this.#server.unref().on('connection', (socket: Socket) => socket.unref());
    for (const socket of this.#sockets) socket.unref();
  }

  /** Stops listening and breaks all connections. */
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
  const listener = getRequestListener(
    async (request, env) => {
      // The server speaks HTTP/1.1 only.
      const bindings = env as HttpBindings;
      // An invalid Host header makes the URL invalid, but only reading a part of the URL would throw.
      if (!URL.canParse(request.url)) return new Response(null, { status: 400 });
      const response = await fetch(plainRequest(request), bindings);
      if (response.status !== 0) return response;
      bindings.incoming.socket.destroy();
      return RESPONSE_ALREADY_SENT;
    },
    // Otherwise the adapter's own Request and Response would replace those of the process that the sandbox runs in.
    { overrideGlobalObjects: false },
  );
  return (...args: Parameters<typeof listener>) => void listener(...args);
}

/** Hono copies a request whose length is unknown, which works only for one of the global class. */
function plainRequest(request: Request): Request {
  const { body, headers, method, signal, url } = request;
  return body ? new Request(url, { body, duplex: 'half', headers, method, signal }) : request;
}
