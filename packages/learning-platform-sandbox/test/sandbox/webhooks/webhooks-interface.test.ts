import { LIVE_TENANT, NEIGHBOUR, platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

const BASE = '/staging/mea/webhooks/v1';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

test.each([
  ['POST', ''],
  ['GET', '/hooks'],
  ['DELETE', '/hooks/1'],
])('the specification shows no operations, so there are none: %s %s', async (method, path) => {
  const headers = await platform.bearer('api/webhooks', TENANT, 'webhooks');

  const answer = await platform.send(method, `${BASE}${path}`, { headers });

  expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
});

const NO_TOKEN = 'Bearer realm="webhooks"';
const INVALID = 'Bearer realm="webhooks", error="invalid_token"';

test.each([
  ['without a token', NO_TOKEN, async () => ({})],
  ['with Basic authentication, which is for the content interface', NO_TOKEN, () => platform.basic()],
  ['with a token of the content interface', INVALID, () => platform.bearer('api/all')],
  ['with a token of another deployment', INVALID, () => platform.bearer('api/all', LIVE_TENANT, 'webhooks')],
])('401: a request %s gets a challenge', async (_with, challenge, authenticated) => {
  const headers = await authenticated();

  const answers = [
    await platform.send('GET', BASE, { headers }),
    await platform.send('POST', `${BASE}/hooks`, { headers }),
  ];

  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
    expect(answer.headers.get('www-authenticate')).toBe(challenge);
  }
});

test('is a separate fault point and counter target, matched by tenant', async () => {
  const match = { interface: 'webhooks', tenantId: TENANT.tenantId };
  await platform.addFault({ target: 'webhooks', match, status: 503 });
  const statusFor = async (owner: typeof TENANT) =>
    (await platform.send('GET', BASE, { headers: await platform.bearer('api/webhooks', owner, 'webhooks') }))
      .status;

  const statuses = [await statusFor(TENANT), await statusFor(NEIGHBOUR)];

  expect(statuses).toEqual([503, 204]);
  expect((await platform.control('GET', 'counters')).body).toMatchObject({
    requests: expect.arrayContaining([
      { target: 'webhooks', method: 'GET', path: BASE, status: 204, count: 1 },
    ]) as unknown,
  });
});
