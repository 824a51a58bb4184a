import { LIVE_TENANT, NEIGHBOUR, platformError, PlatformUnderTest, TENANT } from './platform-under-test';

const BROKEN = 0;

async function archivedId(platform: PlatformUnderTest) {
  return (await platform.tenant()).archivedContentIds[0];
}
async function isArchived(platform: PlatformUnderTest, id: string) {
  return (await platform.tenant()).archivedContentIds.includes(id);
}

describe('a fault that answers', () => {
  test('Errors, general rule 1: a write that fails with 502 leaves the content unmodified', async () => {
    const platform = new PlatformUnderTest();
    const id = await archivedId(platform);
    await platform.control('POST', 'faults', { target: 'content', status: 502 });

    const answer = await platform.write('restore', id);

    expect(answer).toMatchObject({ status: 502, body: platformError(502, 'Bad Gateway') });
    expect(await isArchived(platform, id)).toBe(true);
  });

  test('sends a string as it is, with the headers given', async () => {
    const platform = new PlatformUnderTest();
    const headers = {
      'Content-Type': 'text/html',
      'Retry-After': '7',
      Date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    };
    await platform.control('POST', 'faults', { target: 'token', status: 429, body: '<p>busy</p>', headers });

    const answer = await platform.requestToken();

    expect(answer).toMatchObject({ status: 429, body: '<p>busy</p>' });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html',
      'retry-after': '7',
      date: 'Thu, 01 Jan 1970 00:00:00 GMT',
    });
  });

  test.each([[{ access_token: 7 }], [[]], [null], [false]])(
    'sends %j as JSON, with 200 unless told otherwise',
    async (body) => {
      const platform = new PlatformUnderTest();
      await platform.control('POST', 'faults', { target: 'token', body });

      const answer = await platform.requestToken();

      expect(answer).toMatchObject({ status: 200, body });
    },
  );

  test('with a status that has no body sends none', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', status: 204, body: 'ignored' });

    const answer = await platform.requestToken();

    expect(answer).toMatchObject({ status: 204, body: '' });
  });
});

describe('a connection that breaks', () => {
  test('before processing leaves the content unmodified and is counted with status 0', async () => {
    const platform = new PlatformUnderTest();
    const id = await archivedId(platform);
    await platform.control('POST', 'faults', { target: 'content', reset: 'before' });

    const answer = await platform.write('restore', id);

    expect(answer.status).toBe(BROKEN);
    expect(await isArchived(platform, id)).toBe(true);
    const { body } = await platform.control('GET', 'counters');
    expect(body).toMatchObject({
      requests: expect.arrayContaining([
        expect.objectContaining({ target: 'content', status: 0 }),
      ]) as unknown,
    });
  });

  test('after processing has changed the content, though no answer tells', async () => {
    const platform = new PlatformUnderTest();
    const id = await archivedId(platform);
    await platform.control('POST', 'faults', { target: 'content', reset: 'after' });

    const answer = await platform.write('restore', id);

    expect(answer.status).toBe(BROKEN);
    expect([...answer.headers]).toEqual([]);
    expect(await isArchived(platform, id)).toBe(false);
  });
});

describe('a delay', () => {
  test('alone only delays', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', delayMs: 3 });

    const answer = await platform.requestToken();

    expect(answer.status).toBe(200);
  });

  test('ends when the client goes away, and the request is not processed', async () => {
    const platform = new PlatformUnderTest();
    const id = await archivedId(platform);
    await platform.control('POST', 'faults', { target: 'content', delayMs: 600_000 });
    const client = new AbortController();

    const pending = platform.write('restore', id, { signal: client.signal });
    setImmediate(() => client.abort());
    const answer = await pending;

    expect(answer.status).toBe(BROKEN);
    expect(await isArchived(platform, id)).toBe(true);
  });
});

describe('which requests', () => {
  test.each([
    ['environment', { environment: 'staging' }],
    ['platform region', { platformRegion: 'mea' }],
    ['tenant', { tenantId: TENANT.tenantId }],
    ['interface', { interface: 'content' }],
    ['all of them', { ...TENANT, interface: 'content' }],
  ] as const)('match by %s: this token request, and not one that differs', async (_by, match) => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', match, status: 503 });

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
      const platform = new PlatformUnderTest();
      const headersOf = (owner: typeof TENANT) =>
        scheme === 'basic' ? platform.basic(owner) : platform.bearer('api/read', owner);
      const read = async (owner: typeof TENANT) =>
        platform.send('GET', '/staging/mea/rest/v1/contents', { headers: await headersOf(owner) });
      await platform.control('POST', 'faults', {
        target: 'content',
        match: { tenantId: TENANT.tenantId },
        status: 503,
      });

      const statuses = [(await read(TENANT)).status, (await read(NEIGHBOUR)).status];

      expect(statuses).toEqual([503, 200]);
    },
  );

  test('the tenant service is a target of its own, by environment', async () => {
    const platform = new PlatformUnderTest();
    const match = { environment: 'production' };
    await platform.control('POST', 'faults', { target: 'tenants', match, status: 503 });

    const answers = await Promise.all(
      ['live', 'staging'].map((name) => platform.send('POST', `/tenant-service/${name}/tenants`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([503, 401]);
  });
});

describe('several faults', () => {
  test('the first that matches is used and counted down, then the next', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', status: 500, times: 2 });
    await platform.control('POST', 'faults', { target: 'token', status: 503, times: 1 });

    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await platform.requestToken()).status);

    expect(statuses).toEqual([500, 500, 503, 200]);
  });

  test('without times, a fault stays until it is deleted', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', status: 500 });
    const before = [(await platform.requestToken()).status, (await platform.requestToken()).status];

    const answer = await platform.control('DELETE', 'faults');

    expect(answer.status).toBe(204);
    expect([...before, (await platform.requestToken()).status]).toEqual([500, 500, 200]);
  });

  test('control itself is never disturbed', async () => {
    const platform = new PlatformUnderTest();
    for (const target of ['token', 'content', 'tenants']) {
      await platform.control('POST', 'faults', { target, reset: 'before' });
    }

    expect((await platform.control('GET', 'tenants')).status).toBe(200);
  });
});

describe('a fault with a probability', () => {
  const MANY = 600;

  /** Which of many token requests it meets. */
  async function met(fault: object): Promise<boolean[]> {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', status: 500, ...fault });
    const credential = await platform.issueCredential();
    const answers: boolean[] = [];
    for (let n = 0; n < MANY; n += 1) {
      answers.push((await platform.requestToken(TENANT, 'content', credential)).status === 500);
    }
    return answers;
  }

  test('meets about so many requests, the same ones with the same seed', async () => {
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

  test('leaves the requests that it spares to the faults behind it', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'faults', { target: 'token', status: 500, probability: 0.5, times: 3 });
    await platform.control('POST', 'faults', { target: 'token', status: 503 });

    const statuses: number[] = [];
    for (let n = 0; n < 40; n += 1) statuses.push((await platform.requestToken()).status);

    expect(statuses.filter((status) => status === 500)).toHaveLength(3);
    expect(new Set(statuses)).toEqual(new Set([500, 503]));
  });

  test.each([
    [{ probability: 0 }, 'probability'],
    [{ probability: 1 }, 'probability'],
    [{ seed: 1 }, 'seed'],
    [{ probability: 0.5, seed: -1 }, 'seed'],
  ])('%j is refused', async (change, field) => {
    const fault = { target: 'token', status: 500, ...change };

    const { status, body } = await new PlatformUnderTest().control('POST', 'faults', fault);

    expect(status).toBe(400);
    expect((body as { message: string }).message).toContain(field);
  });
});
