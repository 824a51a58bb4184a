import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Hono } from 'hono';
import { createTlsIdentity } from './tls';

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
  const { caCertificate, certificate, privateKey } = await createTlsIdentity();
  const server = createServer(
    { cert: certificate, key: privateKey, minVersion: 'TLSv1.2', keepAliveTimeout: KEEP_ALIVE_MS },
    requestListener(app),
  );
  await listen(server, port);
  return {
    origin: `https://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    caCertificate,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function requestListener(app: Hono) {
  const listener = getRequestListener(async (request, env) => {
    const response = await app.fetch(request, env);
    if (response.status !== 0) return response;
    (env as HttpBindings).incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  return (...args: Parameters<typeof listener>) => void listener(...args);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new PortUnavailableError(port, error)));
    server.listen(port, LOOPBACK, resolve);
  });
}
