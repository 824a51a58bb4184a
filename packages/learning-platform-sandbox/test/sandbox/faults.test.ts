import { Faults } from '../../src/sandbox/faults';
import { LIVE_TENANT, NEIGHBOUR, PlatformUnderTest, TENANT } from './platform-under-test';

let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

describe('which requests', () => {
  test('match by all values: this token request, and not one that differs', async () => {
    const match = { ...TENANT, interface: 'content' };
    await platform.addFault({ target: 'token', match, status: 503 });

    const hit = await platform.requestToken();
    const others = [
      await platform.requestToken(LIVE_TENANT, 'webhooks'),
      await platform.send('GET', '/staging/mea/rest/v1/contents'),
    ];

    expect(hit.status).toBe(503);
    expect(others.map(({ status }) => status)).toEqual([200, 401]);
  });

  test.each(['basic', 'bearer'] as const)(
    'match by tenant finds the tenant of a content request with %s',
    async (scheme) => {
      const headersOf = (owner: typeof TENANT) =>
        scheme === 'basic' ? platform.basic(owner) : platform.bearer('api/read', owner);
      const read = async (owner: typeof TENANT) =>
        platform.send('GET', '/staging/mea/rest/v1/contents', { headers: await headersOf(owner) });
      await platform.addFault({ target: 'content', match: { tenantId: TENANT.tenantId }, status: 503 });

      const statuses = [(await read(TENANT)).status, (await read(NEIGHBOUR)).status];

      expect(statuses).toEqual([503, 200]);
    },
  );

  test('the tenant service is a separate fault point, matched by environment', async () => {
    const match = { environment: 'production' };
    await platform.addFault({ target: 'tenants', match, status: 503 });

    const answers = await Promise.all(
      ['live', 'staging'].map((name) => platform.send('POST', `/tenant-service/${name}/tenants`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([503, 401]);
  });
});

describe('several faults', () => {
  test('the first match is applied until used up, then the next', async () => {
    await platform.addFault({ target: 'token', status: 500, times: 2 });
    await platform.addFault({ target: 'token', status: 503, times: 1 });

    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await platform.requestToken()).status);

    expect(statuses).toEqual([500, 500, 503, 200]);
  });

  test('without times, a fault stays until it is deleted', async () => {
    await platform.addFault({ target: 'token', status: 500 });
    const before = [(await platform.requestToken()).status, (await platform.requestToken()).status];

    const answer = await platform.control('DELETE', 'faults');

    expect(answer.status).toBe(204);
    expect([...before, (await platform.requestToken()).status]).toEqual([500, 500, 200]);
  });

  test('faults never affect control', async () => {
    for (const target of ['token', 'content', 'tenants', 'webhooks']) {
      await platform.addFault({ target, reset: 'before' });
    }

    expect((await platform.control('GET', 'tenants')).status).toBe(200);
  });
});

describe('a fault with a probability', () => {
  const MANY = 600;

  /** Which of many token requests it affects. */
  async function met(fault: object): Promise<boolean[]> {
    platform = new PlatformUnderTest();
    await platform.addFault({ target: 'token', status: 500, ...fault });
    const credential = await platform.issueCredential();
    const answers: boolean[] = [];
    for (let n = 0; n < MANY; n += 1) {
      answers.push((await platform.requestToken(TENANT, 'content', credential)).status === 500);
    }
    return answers;
  }

  test('affects about that share of requests, and the same ones with the same seed', async () => {
    const [first, again, other] = [
      await met({ probability: 0.2, seed: 1 }),
      await met({ probability: 0.2, seed: 1 }),
      await met({ probability: 0.2, seed: 2 }),
    ];

    // Four standard deviations of a fair draw: sqrt(600 × 0.2 × 0.8) is 9.8.
    expect(Math.abs(first.filter(Boolean).length - 120)).toBeLessThan(39);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('leaves requests that it skips to later faults', async () => {
    await platform.addFault({ target: 'token', status: 500, probability: 0.5, times: 3 });
    await platform.addFault({ target: 'token', status: 503 });

    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await platform.requestToken()).status);

    expect(statuses.filter((status) => status === 500)).toHaveLength(3);
    expect(new Set(statuses)).toEqual(new Set([500, 503]));
  });
});

describe('a fault for one content operation', () => {
  test('affects only that operation', async () => {
    const [id] = (await platform.tenant()).archivedContentIds;
    await platform.addFault({ target: 'content', match: { operation: 'restore' }, status: 503 });

    const statuses = [
      (await platform.write('restore', id)).status,
      (await platform.write('archive', id)).status,
      await platform.readWith(await platform.basic()),
    ];

    expect(statuses).toEqual([503, 409, 200]);
  });
});

describe('a certificate fault', () => {
  const EXPIRED = { target: 'token', certificate: 'expired', times: 1 } as const;
  const ADDRESS = { faultPoint: 'token', environment: 'staging', platformRegion: 'mea' } as const;

  test('applies to connections to matching addresses, which use it up', () => {
    const faults = new Faults();
    faults.add({ ...EXPIRED, match: { platformRegion: 'mea' } });

    const presented = [
      faults.takeAtConnection({ ...ADDRESS, faultPoint: 'content' }),
      faults.takeAtConnection({ ...ADDRESS, platformRegion: 'global' }),
      faults.takeAtConnection(ADDRESS),
      faults.takeAtConnection(ADDRESS),
    ];

    expect(presented).toEqual([undefined, undefined, 'expired', undefined]);
  });

  test('each kind of fault is used up only by its own kind', () => {
    const faults = new Faults();
    const added = [
      EXPIRED,
      { target: 'token', status: 500 },
      { target: 'content', dependency: 'store' },
    ] as const;
    for (const fault of added) faults.add(fault);

    const taken = {
      request: [faults.take(ADDRESS), faults.take({ faultPoint: 'content' })],
      dependency: [
        faults.takeAtDependency({ faultPoint: 'content' }, 'audit'),
        faults.takeAtDependency({ faultPoint: 'content' }, 'store'),
      ],
      connection: [faults.takeAtConnection(ADDRESS), faults.takeAtConnection({ faultPoint: 'content' })],
    };

    expect(taken).toEqual({
      request: [added[1], undefined],
      dependency: [false, true],
      connection: ['expired', undefined],
    });
  });

  test('triggers onCertificateFault when added; other faults do not', () => {
    const told: unknown[] = [];
    const faults = new Faults((fault) => told.push(fault));

    faults.add({ target: 'token', status: 500 });
    faults.add(EXPIRED);

    expect(told).toEqual([EXPIRED]);
  });
});
