import { type DeploymentFile } from '../../../../core/deployment/deployment-file';
import { HttpsTokenIssuer } from '../../../../lambdas/shared/adapters/https-token-issuer';
import { type TokenError } from '../../../../core/tokens/token-errors';
import { type TokenRequest } from '../../../../lambdas/shared/ports';
import { failureOf } from '../../../support/lambdas/failure-of';
import { type LoopbackServer } from '../../../support/lambdas/loopback-server';
import { deploymentOf } from '../../../support/lambdas/token-functions';
import { trustedServers } from '../../../support/lambdas/trusted-servers';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const SECRET = 'canary-secret';
// The platform's specification, "OAuth token response"
const GRANTED = JSON.stringify({ access_token: 'token', expires_in: 3600, token_type: 'Bearer' });

const servers = trustedServers();
let server: LoopbackServer;
beforeEach(async () => {
  server = await servers.start();
  server.behavior = (response) => response.end(GRANTED);
});

interface Change extends Partial<TokenRequest> {
  clock?: VirtualClock;
  baseUrl?: string;
  deployment?: DeploymentFile;
}

function request({
  clock = new VirtualClock(),
  baseUrl = `${server.url}/auth`,
  deployment = deploymentOf([], { platform: { contentTokenBaseUrl: baseUrl } }),
  ...change
}: Change = {}) {
  return new HttpsTokenIssuer(deployment, clock).requestToken({
    tenantId: 'eu-west-2_Acme',
    tokenType: { interface: 'content', scope: 'api/read' },
    clientId: 'client-id',
    clientSecret: SECRET,
    timeoutMs: 5_000,
    ...change,
  });
}

describe('a token request', () => {
  // The platform's specification, "Endpoints" 1
  test('posts the four fields as JSON to the path of the tenant', async () => {
    await request();

    const [received] = server.requests;
    expect(received).toMatchObject({
      method: 'POST',
      path: '/auth/oauth2/token/eu-west-2_Acme',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(JSON.parse(received!.body)).toEqual({
      scope: 'api/read',
      grant_type: 'client_credentials',
      client_id: 'client-id',
      client_secret: SECRET,
    });
    expect(received!.headers.authorization).toBeUndefined();
  });

  test.each([
    ['from its start', 0, 0],
    ['from the earlier time if the clock is set back meanwhile', -300_000, -300_000],
    ['from the earlier time if the clock is set forward meanwhile', 300_000, 0],
  ])('counts the lifetime of the token %s', async (_, setMs, movedMs) => {
    const clock = new VirtualClock();
    server.behavior = (response) => {
      clock.advance(4_000);
      clock.set(setMs);
      response.sendDate = false;
      response.end(GRANTED);
    };

    expect(await request({ clock })).toMatchObject({
      issuedAtMs: NOON_MS + movedMs,
      expiresAtMs: NOON_MS + movedMs + 3_600_000,
    });
  });

  test('is not sent for a tenant that could lead elsewhere', async () => {
    await expect(request({ tenantId: 'a/b?c#d e' })).rejects.toMatchObject({ code: 'unknown_token_key' });
    expect(server.connections).toBe(0);
  });

  test('is not sent for an interface without a token endpoint', async () => {
    const tokenType = { interface: 'webhooks', scope: 'api/webhooks' } as const;

    await expect(request({ tokenType })).rejects.toMatchObject({
      code: 'unknown_token_key',
      message: 'the configuration has no token endpoint for webhooks',
    });
  });
});

test.each(['größe', 'a\r\nb: c'])(
  'a secret for a header that cannot be in one is a fault of the credential, not of the function',
  async (clientSecret) => {
    const profile = {
      tokenEndpoint: { path: '/token' },
      request: { headers: { 'x-key': '{clientSecret}' } },
    };
    const deployment = deploymentOf([], { platform: { tokenBaseUrl: server.url }, profile });
    const tokenType = { interface: 'api', scope: '' };
    const failure = await failureOf<TokenError>(request({ deployment, tokenType, clientSecret }));

    expect(failure).toMatchObject({ code: 'not_loaded', fault: 'credential_malformed' });
    expect(failure.message).not.toContain(clientSecret);
    expect(server.requests).toEqual([]);
  },
);

test('an answer that is larger than 64 KiB is a bad answer, which a retry would not fix', async () => {
  server.behavior = (response) => response.end('x'.repeat(64 * 1024 + 1));

  await expect(request()).rejects.toMatchObject({
    name: 'TokenError',
    code: 'bad_platform_answer',
    message: 'the token endpoint gave no answer: the answer is larger than 65536 bytes',
  });
});

describe('an endpoint that gives no answer', () => {
  test('because the connection breaks after sending is an outage, because an extra token is harmless', async () => {
    server.behavior = ({ socket }) => socket!.destroy();

    await expect(request()).rejects.toMatchObject({ code: 'platform_unavailable', isRetryable: true });
  });

  test('because its certificate has expired is an outage that no retry fixes, and gets no secret', async () => {
    const impostor = await servers.start(await servers.issue({ lastsDays: -1 }));

    await expect(request({ baseUrl: impostor.url })).rejects.toMatchObject({
      code: 'platform_unavailable',
      isRetryable: false,
      fault: 'tls_failed',
    });
    expect(impostor.receivedBytes).toBe(0);
  });
});

test('the secret is never sent without TLS', async () => {
  await expect(request({ baseUrl: 'http://localhost' })).rejects.toMatchObject({ code: 'unknown_token_key' });
});

test('no error contains the secret or the token', async () => {
  const failures: TokenError[] = [];
  for (const status of [200, 400]) {
    server.behavior = (response, { body }) => response.writeHead(status).end(`<p>${body} token</p>`);
    failures.push(await failureOf<TokenError>(request()));
  }
  server.behavior = ({ socket }) => socket!.destroy();
  failures.push(await failureOf<TokenError>(request()));

  for (const { message, stack, cause } of failures) {
    expect(`${message} ${stack} ${(cause as Error | undefined)?.stack}`).not.toContain(SECRET);
  }
});
