import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo } from 'node:net';

import { createTlsIdentity } from '../../../platform/sandbox/tls-identity';

const LIFE_SEC = 3_600;

/**
 * A token endpoint that responds to every request after the same delay, and counts requests. It accepts what any library
 * sends. Other paths act as an API that is called with a token.
 */
export class LoopbackTokenEndpoint {
  requests = 0;
  /** While true, every response is 500. */
  isDown = false;
  readonly latencyMs: number;
  /** PEM of the CA that clients of {@link httpsUrl} must trust. */
  readonly caCertificate: string;
  private readonly http: Server;
  private readonly https: Server;
  private issued = 0;

  private constructor(latencyMs: number, identity: Awaited<ReturnType<typeof createTlsIdentity>>) {
    this.latencyMs = latencyMs;
    this.caCertificate = identity.caCertificate;
    const listener: RequestListener = (request, response) => {
      request.resume();
      request.once('end', () => {
        const { status, body } = this.answer(request.url ?? '');
        setTimeout(() => {
          response.writeHead(status, { 'content-type': 'application/json' });
          response.end(JSON.stringify(body));
        }, latencyMs);
      });
    };
    this.http = createHttpServer(listener);
    this.https = createHttpsServer({ cert: identity.certificate, key: identity.privateKey }, listener);
  }

  /** @param latencyMs from the last byte of a request to its response */
  static async start(latencyMs: number): Promise<LoopbackTokenEndpoint> {
    const endpoint = new LoopbackTokenEndpoint(latencyMs, await createTlsIdentity());
    for (const server of [endpoint.http, endpoint.https]) {
      server.keepAliveTimeout = 0;
      // Libraries without single flight open 1,000 connections at once.
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
      await once(server, 'listening');
    }
    return endpoint;
  }

  get httpUrl(): string {
    return `http://127.0.0.1:${(this.http.address() as AddressInfo).port}`;
  }

  get httpsUrl(): string {
    return `https://127.0.0.1:${(this.https.address() as AddressInfo).port}`;
  }

  stop(): void {
    for (const server of [this.http, this.https]) {
      server.close();
      server.closeAllConnections();
    }
  }

  private answer(path: string): { status: number; body: object } {
    if (!path.includes('/token')) return { status: 200, body: {} };
    this.requests += 1;
    if (this.isDown) return { status: 500, body: { error: 'server_error' } };
    this.issued += 1;
    return {
      status: 200,
      body: {
        access_token: fakeJwt(`token-${this.issued}`),
        token_type: 'Bearer',
        expires_in: LIFE_SEC,
      },
    };
  }
}

/** A token in JWT format, because some libraries read the expiry from it. */
function fakeJwt(id: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const iat = Math.floor(Date.now() / 1_000);
  return `${part({ alg: 'none' })}.${part({ jti: id, iat, exp: iat + LIFE_SEC })}.none`;
}
