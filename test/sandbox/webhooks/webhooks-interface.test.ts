import { NEIGHBOUR, platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

const BASE = '/staging/mea/webhooks/v1';

test.each(['api/webhooks', 'api/all'])(
  'Events: the base lets in a token of the webhooks interface with %s',
  async (scope) => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer(scope, TENANT, 'webhooks');

    const answer = await platform.send('GET', BASE, { headers });

    expect(answer).toMatchObject({ status: 204, body: '' });
  },
);

test.each([
  ['POST', ''],
  ['GET', '/hooks'],
  ['DELETE', '/hooks/1'],
])('no operation is shown, so none is there: %s %s', async (method, path) => {
  const platform = new PlatformUnderTest();
  const headers = await platform.bearer('api/webhooks', TENANT, 'webhooks');

  const answer = await platform.send(method, `${BASE}${path}`, { headers });

  expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
});

describe('is refused with 401 and a Bearer challenge', () => {
  const INVALID = 'Bearer realm="webhooks", error="invalid_token"';

  async function expectRefusal(
    platform: PlatformUnderTest,
    headers: Record<string, string>,
    challenge: string,
  ) {
    const answers = [
      await platform.send('GET', BASE, { headers }),
      await platform.send('POST', `${BASE}/hooks`, { headers }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, body: platformError(401, 'Unauthorized') });
      expect(answer.headers.get('www-authenticate')).toBe(challenge);
    }
  }

  test('a request without a token', () =>
    expectRefusal(new PlatformUnderTest(), {}, 'Bearer realm="webhooks"'));

  test('Basic authentication, which is for the content interface', async () => {
    const platform = new PlatformUnderTest();

    await expectRefusal(platform, await platform.basic(), 'Bearer realm="webhooks"');
  });

  test('a token of the content interface', async () => {
    const platform = new PlatformUnderTest();

    await expectRefusal(platform, await platform.bearer('api/all'), INVALID);
  });

  test('a token of another cell', async () => {
    const platform = new PlatformUnderTest();
    const live = { environment: 'production', platformRegion: 'global', tenantId: 'eu-west-2_Live' } as const;

    await expectRefusal(platform, await platform.bearer('api/all', live, 'webhooks'), INVALID);
  });

  test('a token whose hour is over', async () => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer('api/all', TENANT, 'webhooks');
    await platform.control('POST', 'clock', { advanceSec: 3600 });

    await expectRefusal(platform, headers, INVALID);
  });
});

test('is a target of faults and counters of its own, by tenant', async () => {
  const platform = new PlatformUnderTest();
  const match = { interface: 'webhooks', tenantId: TENANT.tenantId };
  await platform.control('POST', 'faults', { target: 'webhooks', match, status: 503 });
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
