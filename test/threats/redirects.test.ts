import { type ClientRequest, createServer, type IncomingMessage, type Server } from 'node:http';
import https from 'node:https';
import { type AddressInfo } from 'node:net';

import { requestApiKey } from '../../cli/credentials/request-api-key';
import { createTokenSource } from '../../client';
import { HttpsContentPlatform } from '../../lambdas/shared/adapters/platform-content';
import { PlatformProof } from '../../lambdas/shared/adapters/platform-proof';
import { HttpsTokenIssuer } from '../../lambdas/shared/adapters/https-token-issuer';
import { sendHttps } from '../../lambdas/shared/adapters/https-client';
import { systemClock } from '../../lambdas/shared/adapters/system-clock';
import { ClientClock } from '../client/support/client-clock';
import { FakeAws, KEY, MINUTE_MS } from '../client/support/fake-aws';
import { expectRed } from '../support/holes/expect-red';
import { CertificateAuthority, type ServerCertificate } from '../support/lambdas/certificates';
import { LoopbackServer } from '../support/lambdas/loopback-server';
import { CONTENT_ID, restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { TENANT_ID } from '../support/lambdas/token-functions';
import { trustAuthority } from '../support/lambdas/trusted-authority';

const CODES = [301, 302, 303, 307, 308];
const TENANT = { environment: 'staging', platformRegion: 'mea', tenantId: TENANT_ID } as const;

let authority: CertificateAuthority;
let certificate: ServerCertificate;
let server: LoopbackServer;
/** Redirect targets: one https, and one http, which our clients refuse in any case. */
let elsewhere: LoopbackServer;
let plain: Server;
let plainConnections: number;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certificate = await authority.issue();
});
beforeEach(async () => {
  trustAuthority(authority.certificatePem);
  [server, elsewhere] = await Promise.all([
    LoopbackServer.start(certificate),
    LoopbackServer.start(certificate),
  ]);
  plainConnections = 0;
  plain = createServer((_, response) => response.end()).on('connection', () => (plainConnections += 1));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  const closed = new Promise((resolve) => plain.close(resolve));
  plain.closeAllConnections();
  await Promise.all([LoopbackServer.stopAll(), closed]);
  jest.restoreAllMocks();
});

/** Every kind of request that sends a secret to the platform, and the result of its caller. */
const REQUESTS: Record<string, { send: () => Promise<unknown>; outcome: (status: number) => unknown }> = {
  'a token request': {
    send: () =>
      new HttpsTokenIssuer(
        { ...restoringDeploymentOf(), platform: { contentTokenBaseUrl: server.url } },
        systemClock,
      )
        .requestToken({
          tenantId: TENANT_ID,
          tokenType: { interface: 'content', scope: 'api/read' },
          clientId: 'client',
          clientSecret: 'canary',
          timeoutMs: 5_000,
        })
        .catch((error: { code: string }) => error.code),
    outcome: () => 'bad_platform_answer',
  },
  'a restore request': {
    send: () => {
      const deployment = restoringDeploymentOf();
      const platform = { ...deployment.platform, contentBaseUrl: server.url };
      const content = new HttpsContentPlatform({ ...deployment, platform }, systemClock);
      const deadlineMs = systemClock.monotonicMs() + 5_000;
      return content.restore(CONTENT_ID, { authorRef: 'a' }, { accessToken: 'canary' }, deadlineMs);
    },
    outcome: (status) => expect.objectContaining({ kind: 'answered', status }) as object,
  },
  'a request of authorizedFetch': {
    send: async () => {
      const clock = new ClientClock();
      const aws = new FakeAws(clock);
      aws.store(60 * MINUTE_MS);
      const tokens = createTokenSource(aws.options());
      const answer = await tokens.authorizedFetch(KEY, server.url, { method: 'POST', body: 'canary' });
      return answer.status;
    },
    outcome: (status) => status,
  },
  'a request for an API key': {
    send: () =>
      requestApiKey(
        sendHttps,
        server.url,
        { authorization: 'Bearer canary', correlationId: '6c6b5ee5-9e8d-4ae4-9d1c-21b1c3b1a111' },
        new AbortController().signal,
      ),
    outcome: () => expect.objectContaining({ kind: 'unknown' }) as object,
  },
  'the proof of an API key': {
    send: () => {
      const proof = new PlatformProof({
        deployment: { ...restoringDeploymentOf(), platform: { contentBaseUrl: server.url } },
        clock: systemClock,
        random: () => 0,
      });
      const value = { apiKey: 'canary', validUntil: '2999-01-01T00:00:00Z' };
      const deadlineMs = systemClock.monotonicMs() + 5_000;
      return proof.prove({ ...TENANT, tokens: [] }, { kind: 'api-key', value }, deadlineMs);
    },
    outcome: () => expect.objectContaining({ kind: 'could_not_test' }) as object,
  },
};

const ROWS = Object.keys(REQUESTS).flatMap((request) => CODES.map((code) => [request, code] as const));

/** @throws {JestAssertionError} if a redirect is followed */
async function expectNotFollowed(request: string, status: number) {
  const { send, outcome } = REQUESTS[request]!;
  const addresses = [
    `${elsewhere.url}/steal`,
    `http://localhost:${(plain.address() as AddressInfo).port}/steal`,
  ];

  for (const [index, location] of addresses.entries()) {
    server.behavior = (response) => response.writeHead(status, { location }).end();

    expect(await send()).toEqual(outcome(status));

    expect(server.requests).toHaveLength(index + 1);
  }
  expect([elsewhere.connections, elsewhere.receivedBytes, plainConnections]).toEqual([0, 0, 0]);
}

/** Makes both transports of this process follow redirects: `node:https` and `fetch`. */
function followRedirects(): void {
  const { fetch } = globalThis;
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((url, init) => fetch(url, { ...init, redirect: 'follow' }));
  const request = https.request.bind(https) as (options: https.RequestOptions) => ClientRequest;
  jest.spyOn(https, 'request').mockImplementation(((options: https.RequestOptions) => {
    const outgoing = request(options);
    const emit = outgoing.emit.bind(outgoing) as (event: string, ...given: unknown[]) => boolean;
    outgoing.emit = (event: string, ...given: unknown[]) => {
      const { location } = (given[0] as IncomingMessage | undefined)?.headers ?? {};
      if (event !== 'response' || !location?.startsWith('https:')) return emit(event, ...given);
      const { hostname, port, pathname } = new URL(location);
      request({ method: options.method, hostname, port, path: pathname })
        .on('response', (answer) => emit('response', answer))
        .end('');
      return true;
    };
    return outgoing;
  }) as typeof https.request);
}

describe('T1: the server that a redirect names gets no connection and no byte', () => {
  test.each(ROWS)('from %s that is answered with %i', expectNotFollowed);

  test.each(Object.keys(REQUESTS))(
    'from %s: turns red when the transport follows redirects',
    async (request) => {
      followRedirects();

      await expectRed(() => expectNotFollowed(request, 307));
    },
  );
});
