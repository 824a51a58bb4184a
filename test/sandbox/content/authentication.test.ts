import {
  basic,
  LIVE_TENANT,
  NEIGHBOUR,
  NOON_MS,
  platformError,
  PlatformUnderTest,
  TENANT,
} from '../platform-under-test';

const CONTENTS = '/staging/mea/rest/v1/contents';
const DAY_MS = 24 * 60 * 60 * 1000;

function clock(startMs = NOON_MS) {
  let nowMs = startMs;
  return { nowMs: () => nowMs, pass: (ms: number) => void (nowMs += ms) };
}

describe('Authentication: OAuth 2.0 client credentials', () => {
  test.each([
    ['api/read', 200, 403],
    ['api/write', 403, 200],
    ['api/all', 200, 200],
  ])('5: a token with %s gets %i for reading and %i for writing', async (scope, reading, writing) => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer(scope);
    const { archivedContentIds } = await platform.tenant();

    const read = await platform.send('GET', CONTENTS, { headers });
    const written = await platform.write('restore', archivedContentIds[0], { headers });

    expect([read.status, written.status]).toEqual([reading, writing]);
  });

  test('Errors table, 403: the challenge names the scope that is needed (RFC 6750, section 3.1)', async () => {
    const platform = new PlatformUnderTest();

    const answer = await platform.send('GET', CONTENTS, { headers: await platform.bearer('api/write') });

    expect(answer.body).toEqual(platformError(403, 'Forbidden'));
    expect(answer.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="api/read"');
  });

  test.each([
    ['one millisecond before 3600 seconds', 3_599_999, 200],
    ['after 3600 seconds', 3_600_000, 401],
  ])('3: a token %s gets %3$i', async (_when, passedMs, status) => {
    const time = clock();
    const platform = new PlatformUnderTest({}, time);
    const headers = await platform.bearer('api/read');

    time.pass(passedMs);
    const answer = await platform.send('GET', CONTENTS, { headers });

    expect(answer.status).toBe(status);
  });

  test.each([
    ['the webhooks interface', TENANT, 'webhooks'],
    ['another environment', LIVE_TENANT, 'content'],
  ] as const)('a token of %s is refused', async (_what, owner, of) => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer('api/all', owner, of);

    const answer = await platform.send('GET', CONTENTS, { headers });

    expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });
});

describe('Authentication: HTTP Basic', () => {
  test('tenant identifier and API key give full access', async () => {
    const platform = new PlatformUnderTest();
    const headers = await platform.basic();
    const { archivedContentIds } = await platform.tenant();

    const read = await platform.send('GET', CONTENTS, { headers });
    const written = await platform.write('restore', archivedContentIds[0], { headers });

    expect([read.status, written.status]).toEqual([200, 200]);
  });

  test('an older key stays valid after a new one is generated', async () => {
    const platform = new PlatformUnderTest();
    const older = await platform.basic();
    await platform.basic();

    const answer = await platform.send('GET', CONTENTS, { headers: older });

    expect(answer.status).toBe(200);
  });

  test('a key past its validUntil is refused', async () => {
    const time = clock();
    const platform = new PlatformUnderTest({}, time);
    const headers = await platform.basic();

    time.pass(365 * DAY_MS);
    const answer = await platform.send('GET', CONTENTS, { headers });

    expect(answer.status).toBe(401);
  });

  test.each([
    ['another tenant', NEIGHBOUR],
    ['another environment', LIVE_TENANT],
  ])('the key of %s is refused', async (_what, owner) => {
    const platform = new PlatformUnderTest();
    const foreign = await platform.basic(owner);
    const apiKey = Buffer.from(foreign.authorization.slice(6), 'base64').toString().split(':')[1]!;

    const answers = await Promise.all(
      [foreign, basic(TENANT.tenantId, apiKey)].map((headers) =>
        platform.send('GET', `/staging/mea/rest/v1/contents/${'0'.repeat(24)}`, { headers }),
      ),
    );

    // A neighbour's own key does authenticate in the same cell, but as the neighbour.
    expect(answers.map(({ status }) => status)).toEqual([owner === NEIGHBOUR ? 404 : 401, 401]);
  });
});

test.each([
  ['no header', undefined],
  ['an unknown token', 'Bearer abc'],
  ['an empty token', 'Bearer '],
  ['an unknown key', basic(TENANT.tenantId, 'wrong').authorization],
  ['Basic without a colon', `Basic ${Buffer.from('abc').toString('base64')}`],
  ['Basic that is no base64', 'Basic %%%'],
  ['another scheme', 'Digest username="a"'],
])('Errors table, 401: %s is answered with both challenges', async (_what, authorization) => {
  const platform = new PlatformUnderTest();

  const answer = await platform.send('GET', CONTENTS, { headers: authorization ? { authorization } : {} });

  expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
  expect(answer.headers.get('www-authenticate')).toMatch(
    /^Bearer realm="content".*, Basic realm="content", charset="UTF-8"$/,
  );
});
