import { type RecentRequest } from '../../../src/sandbox/recent-requests';
import { PlatformUnderTest, TENANT } from '../platform-under-test';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

describe('counters', () => {
  test('count by target, method, real path and status, without control requests', async () => {
    const path = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;

    await platform.requestToken();
    await platform.requestToken();
    await platform.send('GET', '/staging/mea/rest/v1/contents');
    await platform.send('POST', '/tenant-service/live/tenants');
    await platform.send('GET', '/nowhere');

    const answer = await platform.control('GET', 'counters');
    expect(answer.body).toEqual({
      requests: [
        { target: 'token', method: 'POST', path, status: 200, count: 2 },
        { target: 'content', method: 'GET', path: '/staging/mea/rest/v1/contents', status: 401, count: 1 },
        { target: 'tenants', method: 'POST', path: '/tenant-service/live/tenants', status: 401, count: 1 },
      ],
    });
  });
});

describe('requests', () => {
  test('record time, target, method, path, status, duration, tenant and fault of each, but no content', async () => {
    await platform.control('POST', 'clock', { advanceSec: 1 });
    await platform.requestToken();
    const answer503 = { status: 503, body: 'SECRET', headers: { 'x-leak': 'SECRET' } };
    await platform.addFault({ target: 'content', ...answer503 });
    await platform.send('GET', '/staging/mea/rest/v1/contents?statuses=SECRET', {
      headers: { authorization: 'SECRET' },
    });
    await platform.addFault({ target: 'tenants', reset: 'before' });
    await platform.send('POST', '/tenant-service/live/tenants', { body: 'SECRET' });

    const answer = await platform.control('GET', 'requests');

    const at = '2026-01-31T12:00:01.000Z';
    const { tenantId } = TENANT;
    const tokenPath = `/staging/mea/auth/oauth2/token/${tenantId}`;
    const durationMs = expect.any(Number) as number;
    expect(answer.body).toEqual({
      requests: [
        { at, target: 'token', method: 'POST', path: tokenPath, status: 200, durationMs, tenantId },
        {
          at,
          target: 'content',
          method: 'GET',
          path: '/staging/mea/rest/v1/contents',
          status: 503,
          durationMs,
          fault: { status: 503 },
        },
        {
          at,
          target: 'tenants',
          method: 'POST',
          path: '/tenant-service/live/tenants',
          status: 0,
          durationMs,
          fault: { reset: 'before' },
        },
      ],
    });
  });

  test('record a fault of a dependency, and how long the answer took', async () => {
    const headers = await platform.bearer('api/read');
    await platform.addFault({ target: 'content', delayMs: 20 });
    await platform.addFault({ target: 'content', dependency: 'store' });
    await platform.send('GET', '/staging/mea/rest/v1/contents', { headers });

    const { requests } = (await platform.control('GET', 'requests')).body as { requests: RecentRequest[] };

    const { tenantId } = TENANT;
    expect(requests.at(-1)).toMatchObject({
      status: 502,
      tenantId,
      fault: { delayMs: 20, dependency: 'store' },
    });
    // Timers may fire a millisecond early.
    expect(requests.at(-1)!.durationMs).toBeGreaterThanOrEqual(19);
  });

  test('are kept up to the last 200', async () => {
    for (let n = 0; n <= 200; n += 1) {
      await platform.send('GET', `/staging/mea/rest/v1/contents/${n}`);
    }

    const { requests } = (await platform.control('GET', 'requests')).body as { requests: { path: string }[] };

    expect(requests).toHaveLength(200);
    expect(requests[0]?.path).toBe('/staging/mea/rest/v1/contents/1');
  });
});

describe('addresses', () => {
  test('are at the origin of the request if one port serves all', async () => {
    const answer = await platform.send('GET', 'https://127.0.0.1:8443/_sandbox/addresses');

    expect(answer.body).toMatchObject({
      control: 'https://127.0.0.1:8443/_sandbox',
      deployments: [{ environment: 'staging', platformRegion: 'mea' }, { environment: 'production' }],
    });
  });

  test('are those of the server if it provides them', async () => {
    const addresses = {
      control: 'https://c',
      deployments: [],
      tenantServices: { staging: 's', live: 'l' },
      issuers: [],
    };
    platform = new PlatformUnderTest({}, { addresses: () => addresses });

    const answer = await platform.control('GET', 'addresses');

    expect(answer.body).toEqual(addresses);
  });
});
