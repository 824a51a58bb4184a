import { type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type Socket } from 'node:net';
import { type CertificateAuthority, createCertificateAuthority } from '../certificate-authority';
import { listenOnLoopback } from '../loopback-server';
import { startRealTimer } from '../run-clock';
import { type ApiGatewayOptions, RequestHandler } from './handle-request';

/** More than API Gateway accepts, so that API Gateway's own limit applies first. */
const MAX_HEADER_BYTES = 64 * 1024;

interface ApiGatewayServerOptions extends Omit<ApiGatewayOptions, 'startTimer'> {
  /** 0 picks a free port. */
  readonly port: number;
  /** Signs the server's certificate. @default a new one */
  readonly authority?: CertificateAuthority;
  /** @default real time */
  readonly startTimer?: ApiGatewayOptions['startTimer'];
}

export interface ApiGatewayServer {
  /** `https://127.0.0.1:PORT`. */
  readonly origin: string;
  /** PEM of the CA that clients must trust. */
  readonly caCertificate: string;
  /** A stage's invoke URL: `{origin}/{restApiId}/{stage}`. */
  urlOf(restApiId: string, stageName: string): string;
  /** Stops the server and closes every connection. */
  close(): Promise<void>;
}

/**
 * Serves the stages of all REST APIs over HTTPS on 127.0.0.1. URLs differ from AWS only in the API's id, which is the
 * first part of the path instead of the host name. Plain HTTP and TLS below 1.2 get no response.
 * @throws an Error with `code: 'EADDRINUSE'` when the port is taken
 * @see API Gateway developer guide, how-to-call-api and apigateway-security-policies
 */
export async function startApiGateway(options: ApiGatewayServerOptions): Promise<ApiGatewayServer> {
  const authority = options.authority ?? (await createCertificateAuthority());
  const { certificate, privateKey } = await authority.issueForLoopback();
  const handler = new RequestHandler({ startTimer: startRealTimer, ...options });
  const server = createServer(
    {
      cert: certificate,
      key: privateKey,
      minVersion: 'TLSv1.2',
      maxHeaderSize: MAX_HEADER_BYTES,
      // Never closes an idle connection: a client might be about to send a request on it.
      keepAliveTimeout: 0,
    },
    (incoming, response) => void respond(handler, options, incoming, response),
  );
  const connections = connectionsOf(server);
  const origin = `https://127.0.0.1:${await listenOnLoopback(server, options.port)}`;
  return {
    origin,
    caCertificate: authority.certificate,
    urlOf: (restApiId, stageName) => `${origin}/${restApiId}/${stageName}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.destroy();
      }),
  };
}

async function respond(
  handler: RequestHandler,
  { clock, reporter }: ApiGatewayServerOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const answer = await handler.handle(incoming);
    if (response.destroyed) return;
    if (!answer) {
      incoming.socket.destroy();
      return;
    }
    const hasNoBody = answer.statusCode === 204 || answer.statusCode === 304;
    const length = hasNoBody ? [] : [['Content-Length', String(answer.body.length)]];
    const date = ['Date', new Date(clock.nowMs()).toUTCString()];
    response.sendDate = false;
    response.writeHead(answer.statusCode, [...answer.headers, date, ...length].flat());
    response.end(hasNoBody ? undefined : answer.body);
  } catch (error) {
    // A client that disconnected while sending needs no response.
    if (!incoming.readableAborted)
      reporter.warning(`the local API Gateway did not respond: ${(error as Error).name}`);
    incoming.socket.destroy();
  }
}

/** All connections, including those in a TLS handshake, which `closeAllConnections` does not close. */
function connectionsOf(server: Server): ReadonlySet<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  return connections;
}
