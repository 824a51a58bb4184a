import { deploymentPaths } from '../../src/sandbox/addresses';
import { DEFAULT_SEED } from '../../src/sandbox/seed';
import { basic, NEIGHBOUR, NOON_MS, PlatformUnderTest, TENANT } from './platform-under-test';

const OWNERS = (
  DEFAULT_SEED.deployments as { environment: 'staging'; platformRegion: 'mea'; tenants: [typeof TENANT] }[]
).map(({ tenants: [{ tenantId }], ...deploymentKey }) => ({ ...deploymentKey, tenantId }));

test.each(OWNERS)(
  'only $environment/$platformRegion accepts its credentials, tokens and API keys',
  async (owner) => {
    const platform = new PlatformUnderTest(DEFAULT_SEED);
    const credential = await platform.issueCredential(owner);
    const content = await platform.bearer('api/all', owner);
    const webhooks = await platform.bearer('api/webhooks', owner, 'webhooks');
    const apiKey = await platform.basic(owner);

    for (const other of OWNERS) {
      const paths = deploymentPaths(other);
      const request = (base: string) =>
        platform.send('POST', `${base}/oauth2/token/${owner.tenantId}`, {
          json: { scope: 'api/all', grant_type: 'client_credentials', ...credential },
        });
      const statuses = [
        (await request(paths.contentToken)).status,
        (await request(paths.webhooksToken)).status,
        await platform.readWith(content, other),
        await platform.readWith(apiKey, other),
        (await platform.send('GET', paths.webhooks, { headers: webhooks })).status,
      ];
      expect({ other, statuses }).toEqual({
        other,
        statuses: other === owner ? [200, 200, 200, 200, 204] : [401, 401, 401, 401, 401],
      });
    }
  },
);

describe('an application', () => {
  test('gets a token with its own secret, and not with that of another application', async () => {
    const platform = new PlatformUnderTest();
    const [first, second] = [await platform.issueCredential(), await platform.issueCredential()];
    const mixed = { ...first, client_secret: second.client_secret };

    const answers = [
      await platform.requestToken(TENANT, 'content', first),
      await platform.requestToken(TENANT, 'content', mixed),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  });

  test('gets no token for another tenant', async () => {
    const platform = new PlatformUnderTest();
    const credential = await platform.issueCredential();

    const answers = [
      await platform.requestToken(NEIGHBOUR, 'content', credential),
      await platform.requestToken(NEIGHBOUR, 'webhooks', credential),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

test('a token is valid for 3600 s on both interfaces, and an API key until validUntil', async () => {
  const platform = new PlatformUnderTest();
  const { apiKey, validUntil } = (await platform.control('POST', 'api-keys', TENANT)).body as Record<
    string,
    string
  >;
  const key = basic(TENANT.tenantId, apiKey!);
  const content = await platform.bearer('api/read');
  const webhooks = await platform.bearer('api/webhooks', TENANT, 'webhooks');
  const pass = (advanceSec: number) => platform.control('POST', 'clock', { advanceSec });
  const statuses = async () => [
    await platform.readWith(content),
    (await platform.send('GET', deploymentPaths(TENANT).webhooks, { headers: webhooks })).status,
    await platform.readWith(key),
  ];

  await pass(3599.999);
  expect(await statuses()).toEqual([200, 204, 200]);
  await pass(0.001);
  expect(await statuses()).toEqual([401, 401, 200]);
  await pass((Date.parse(validUntil!) - NOON_MS) / 1000 - 3600.001);
  expect(await statuses()).toEqual([401, 401, 200]);
  await pass(0.001);
  expect(await statuses()).toEqual([401, 401, 401]);
});
