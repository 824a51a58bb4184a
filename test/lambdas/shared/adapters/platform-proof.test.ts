import { type TokenType } from '../../../../core/deployment/platform';
import {
  HttpsError,
  type HttpsAnswer,
  type HttpsRequest,
} from '../../../../lambdas/shared/adapters/https-client';
import { PlatformProof } from '../../../../lambdas/shared/adapters/platform-proof';
import { type CredentialValue } from '../../../../core/secrets/credential-values';
import { deploymentOf, TENANT_ID } from '../../../support/lambdas/token-functions';
import { NOON_MS, VirtualClock } from '../../../support/lambdas/virtual-clock';

const CANARY = 'canary-kept-secret';
const READ: TokenType = { interface: 'content', scope: 'api/read' };
const WRITE: TokenType = { interface: 'content', scope: 'api/write' };
const CONTENT_ALL: TokenType = { interface: 'content', scope: 'api/all' };
const WEBHOOKS: TokenType = { interface: 'webhooks', scope: 'api/webhooks' };
const WEBHOOKS_ALL: TokenType = { interface: 'webhooks', scope: 'api/all' };
const ALL = [READ, WRITE, CONTENT_ALL, WEBHOOKS, WEBHOOKS_ALL];
const PAIR: CredentialValue = {
  kind: 'client-credentials',
  value: { clientId: 'client-id', clientSecret: CANARY },
};
const KEY: CredentialValue = {
  kind: 'api-key',
  value: { apiKey: `${CANARY}:é`, validUntil: '2030-01-01T00:00:00.000Z' },
};
// The platform's specification, "OAuth token response"
const GRANTED = answer(200, { access_token: 'token', expires_in: 3600, token_type: 'Bearer' });
const INVALID_SCOPE = answer(400, { error: 'invalid_scope' });
const INVALID_CLIENT = answer(401, { error: 'invalid_client' });

type Reply = HttpsAnswer | HttpsError;

function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): HttpsAnswer {
  return { status, headers, body: JSON.stringify(body) };
}

/** A platform with scripted answers, the last of which is repeated, and a proof against it on virtual time. */
function scripted(...script: ((request: HttpsRequest) => Reply | Promise<Reply>)[]) {
  const clock = new VirtualClock();
  const requests: HttpsRequest[] = [];
  const sendRequest = async (request: HttpsRequest) => {
    const reply = await script[Math.min(requests.length, script.length - 1)]!(request);
    requests.push(request);
    if (reply instanceof HttpsError) throw reply;
    return reply;
  };
  const random = () => 0.999;
  const proof = new PlatformProof({ deployment: deploymentOf([]), clock, random, sendRequest });
  const prove = (credential: CredentialValue, tokens: TokenType[] = [READ], patienceMs = 50_000) =>
    proof.prove({ tenantId: TENANT_ID, tokens }, credential, clock.monotonicMs() + patienceMs);
  return { clock, requests, prove };
}

const always = (reply: Reply) => () => reply;
const down = (code: 'timeout' | 'tls') => new HttpsError(code, 'down', false);
const scopesOf = (requests: HttpsRequest[]) =>
  requests.map(({ url, body }) => `${url.host} ${(JSON.parse(body) as { scope: string }).scope}`);

describe('client credentials', () => {
  test('are proven by one request for each declared token', async () => {
    const { prove, requests } = scripted(always(GRANTED));

    expect(await prove(PAIR, ALL)).toEqual({ kind: 'proven' });

    expect(scopesOf(requests).sort()).toEqual([
      ...['api/all', 'api/read', 'api/write'].map((scope) => `token.example ${scope}`),
      ...['api/all', 'api/webhooks'].map((scope) => `webhooks-token.example ${scope}`),
    ]);
  });

  test.each<[string, HttpsAnswer]>([
    ['invalid_scope', INVALID_SCOPE],
    ['a narrower grant', answer(200, { access_token: 't', token_type: 'Bearer', scope: 'api/read' })],
    ['unauthorized_client', answer(400, { error: 'unauthorized_client' })],
  ])('that lack scopes, which the platform says with %s, are refused with their names', async (_, reply) => {
    const lacks = [WRITE, WEBHOOKS];
    const { prove } = scripted((request) =>
      scopesOf([request]).some((asked) => /api\/(write|webhooks)$/.test(asked)) ? reply : GRANTED,
    );

    expect(await prove(PAIR, [READ, WRITE, WEBHOOKS, WEBHOOKS_ALL])).toEqual({
      kind: 'refused',
      reason: expect.stringMatching(
        /^it lacks content api\/write and webhooks api\/webhooks: (the token endpoint answered|the issuer did not)/,
      ) as string,
      lacks,
    });
  });

  test('that lack every scope are not taken for wrong ones', async () => {
    const { prove } = scripted(always(INVALID_SCOPE));

    expect(await prove(PAIR, [READ, WRITE])).toMatchObject({ kind: 'refused', lacks: [READ, WRITE] });
  });

  test('that are refused for every token are wrong, lack no scope, and are not tried again', async () => {
    const { prove, requests } = scripted(always(INVALID_CLIENT));

    expect(await prove(PAIR, [READ, WRITE, WEBHOOKS])).toEqual({
      kind: 'refused',
      reason: 'content api/read: the token endpoint answered 401 invalid_client',
    });
    expect(requests).toHaveLength(3);
  });

  test('could not be tested if one of five tokens gets no answer, and the others of its interface are not asked for', async () => {
    const { prove, requests } = scripted((request) =>
      scopesOf([request])[0] === 'token.example api/write' ? answer(503) : GRANTED,
    );

    expect(await prove(PAIR, ALL)).toEqual({
      kind: 'could_not_test',
      reason: 'content api/write: the token endpoint answered 503',
    });

    expect(scopesOf(requests).filter((asked) => asked === 'token.example api/all')).toEqual([]);
    expect(requests).toHaveLength(1 + 3 + 2);
  });

  test('have one request at a time on each interface', async () => {
    const underWay: string[] = [];
    const { prove, clock } = scripted(async ({ url: { host } }) => {
      expect(underWay).not.toContain(host);
      underWay.push(host);
      await clock.sleep(100);
      underWay.splice(underWay.indexOf(host), 1);
      return GRANTED;
    });

    expect(await prove(PAIR, ALL)).toEqual({ kind: 'proven' });
    // The three tokens of one interface, beside the two of the other.
    expect(clock.nowMs() - NOON_MS).toBe(300);
  });

  test('are refused by one interface even if the other accepts, or gives no answer', async () => {
    for (const [other, reason] of [
      [GRANTED, 'it lacks webhooks api/webhooks: the token endpoint answered 401 invalid_client'],
      [answer(503), 'webhooks api/webhooks: the token endpoint answered 401 invalid_client'],
    ] as const) {
      const { prove } = scripted(({ url }) => (url.host === 'token.example' ? other : INVALID_CLIENT));

      expect(await prove(PAIR, [READ, WEBHOOKS])).toMatchObject({ kind: 'refused', reason });
    }
  });

  test('could not be tested if the tenant has no tokens', async () => {
    const { prove, requests } = scripted(always(GRANTED));

    expect(await prove(PAIR, [])).toMatchObject({ kind: 'could_not_test' });

    expect(requests).toEqual([]);
  });

  test.each([
    ['are proven after an outage, after waiting for Retry-After', '7', 'proven', [7_000]],
    ['could not be tested if Retry-After exceeds the deadline, without a wait', '60', 'could_not_test', []],
  ])('%s', async (_, retryAfter, kind, sleepsMs) => {
    const outage = answer(503, {}, { 'retry-after': retryAfter });
    const { prove, clock } = scripted(always(outage), always(GRANTED));

    expect(await prove(PAIR)).toMatchObject({ kind });
    expect(clock.sleepsMs).toEqual(sleepsMs);
  });
});

describe('an API key', () => {
  // The platform's specification, "HTTP Basic authentication"
  test('is proven by one authenticated GET of the contents', async () => {
    const { prove, requests } = scripted(always(answer(200, [])));

    expect(await prove(KEY)).toEqual({ kind: 'proven' });

    expect(requests).toHaveLength(1);
    const { url, method, headers, body } = requests[0]!;
    expect([method, url.href, body]).toEqual(['GET', 'https://content.example/contents', '']);
    const basic = Buffer.from(`${TENANT_ID}:${CANARY}:é`).toString('base64');
    expect(headers.authorization).toBe(`Basic ${basic}`);
  });

  test('is proven by a list that is too large to read', async () => {
    const { prove } = scripted(always(new HttpsError('oversized', 'larger', true, 200)));

    expect(await prove(KEY)).toEqual({ kind: 'proven' });
  });

  test('that is refused is tried again, because a new one may not be known yet', async () => {
    const [refused, outage] = [always(answer(401)), always(answer(503))];
    const { prove, requests, clock } = scripted(refused, outage, refused, always(answer(200)));

    expect(await prove(KEY)).toEqual({ kind: 'proven' });

    expect(requests).toHaveLength(4);
    expect(clock.nowMs() - NOON_MS).toBeLessThan(6_000);
  });

  test('that is still refused after half a minute is refused', async () => {
    const { prove, requests, clock } = scripted(always(answer(401)));

    expect(await prove(KEY)).toEqual({
      kind: 'refused',
      reason: 'the platform answered 401 to GET /contents',
    });

    expect(clock.nowMs() - NOON_MS).toBe(30_000);
    expect(requests).toHaveLength(7);
  });

  test('that is refused has its outcome before the deadline', async () => {
    const { prove, clock } = scripted(always(answer(401)));

    expect(await prove(KEY, [READ], 5_000)).toMatchObject({ kind: 'refused' });

    expect(clock.nowMs() - NOON_MS).toBeLessThan(5_000);
  });

  test('that has expired is refused without a request', async () => {
    const { prove, requests } = scripted(always(answer(200)));
    const past = { ...KEY, value: { apiKey: CANARY, validUntil: '2026-01-31T12:00:00Z' } } as CredentialValue;

    expect(await prove(past)).toEqual({
      kind: 'refused',
      reason: 'the key expired at 2026-01-31T12:00:00.000Z',
    });

    expect(requests).toEqual([]);
  });

  test('that was refused and then has no answer could not be tested', async () => {
    const { prove } = scripted(always(answer(401)), always(answer(503)));

    expect(await prove(KEY)).toMatchObject({ kind: 'could_not_test' });
  });
});

test.each<[string, string, CredentialValue, Reply, number]>([
  ['client credentials', 'an outage', PAIR, answer(503), 3],
  ['client credentials', 'a certificate that is not theirs', PAIR, down('tls'), 1],
  ['client credentials', 'a redirect', PAIR, answer(307, {}, { location: 'https://elsewhere.example' }), 1],
  ['an API key', 'an outage', KEY, answer(503), 3],
  ['an API key', 'an answer that never ends', KEY, down('timeout'), 3],
  ['an API key', 'a certificate that is not theirs', KEY, down('tls'), 1],
  ['an API key', 'a redirect', KEY, answer(302, {}, { location: 'https://elsewhere.example' }), 1],
  ['an API key', 'a large error', KEY, new HttpsError('oversized', 'larger', true, 404), 1],
])('%s could not be tested by %s', async (_kind, _fault, credential, reply, times) => {
  const { prove, requests } = scripted(always(reply));

  const outcome = await prove(credential);

  expect(outcome.kind).toBe('could_not_test');
  expect(requests).toHaveLength(times);
  expect(requests.filter(({ url }) => url.host === 'elsewhere.example')).toEqual([]);
  expect(JSON.stringify(outcome)).not.toContain('canary');
});

test('a request is given up after five seconds, and never after the deadline', async () => {
  const { prove, requests } = scripted(always(answer(200)));

  await prove(KEY);
  await prove(KEY, [READ], 1_234.5);

  expect(requests.map(({ totalTimeoutMs, connectTimeoutMs }) => [totalTimeoutMs, connectTimeoutMs])).toEqual([
    [5_000, 2_000],
    [1_234, 1_234],
  ]);
});
