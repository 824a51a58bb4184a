import {
  LIVE_TENANT,
  NEIGHBOUR,
  NOON_MS,
  platformError,
  PlatformUnderTest,
  TENANT,
} from './platform-under-test';

describe('tenants', () => {
  test('every tenant has five archived contents, two authors and two collaborations, all its own', async () => {
    const platform = new PlatformUnderTest();

    const tenants = await Promise.all(
      [TENANT, NEIGHBOUR, LIVE_TENANT].map(({ tenantId }) => platform.tenant(tenantId)),
    );

    const ids = tenants.flatMap((t) => [...t.archivedContentIds, ...t.authorRefs, ...t.collaborationIds]);
    expect(new Set(ids).size).toBe(3 * (5 + 2 + 2));
    expect(ids.every((id) => /^[0-9a-f]{24}$/.test(id))).toBe(true);
  });

  test('ids are the same in every run', async () => {
    const [first, second] = [new PlatformUnderTest(), new PlatformUnderTest()];

    expect(await first.tenant()).toEqual(await second.tenant());
  });
});

describe('credentials', () => {
  test('a revoked credential and the tokens minted from it stop working; another credential does not', async () => {
    const platform = new PlatformUnderTest();
    const [revoked, other] = [await platform.issueCredential(), await platform.issueCredential()];
    const tokenOf = async (credential: object) => {
      const { body } = await platform.requestToken(TENANT, 'content', credential);
      return (body as { access_token: string }).access_token;
    };
    const tokens = [await tokenOf(revoked), await tokenOf(other)];

    const answer = await platform.control('DELETE', 'credentials', { clientId: revoked.client_id });

    const reads = await Promise.all(
      tokens.map((token) =>
        platform.send('GET', '/staging/mea/rest/v1/contents', {
          headers: { authorization: `Bearer ${token}` },
        }),
      ),
    );
    expect(answer.status).toBe(204);
    expect(reads.map(({ status }) => status)).toEqual([401, 200]);
    expect((await platform.requestToken(TENANT, 'content', revoked)).status).toBe(401);
  });

  test('revoking what is not there is answered with 404', async () => {
    const answer = await new PlatformUnderTest().control('DELETE', 'credentials', { clientId: 'nobody' });

    expect(answer).toMatchObject({ status: 404, body: platformError(404, 'Not Found') });
  });

  test('an API key comes with the end of its validity', async () => {
    const answer = await new PlatformUnderTest().control('POST', 'api-keys', TENANT);

    expect(answer).toMatchObject({ status: 201, body: { validUntil: '2027-01-31T12:00:00.000Z' } });
  });
});

test('a session comes with the two headers of a logged-in browser', async () => {
  const answer = await new PlatformUnderTest().control('POST', 'sessions', TENANT);

  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    authorization: expect.stringMatching(/^Bearer \S{43}$/) as string,
    correlationId: expect.stringMatching(uuid) as string,
  });
});

describe('contents that are added', () => {
  test.each(['archived', 'draft', 'published', 'ready'] as const)('may be %s', async (state) => {
    const platform = new PlatformUnderTest();

    const { status, body } = await platform.control('POST', 'contents', {
      ...TENANT,
      status: state,
      count: 3,
    });

    const { contentIds } = body as { contentIds: string[] };
    expect(status).toBe(201);
    expect(new Set(contentIds).size).toBe(3);
    const answers = await Promise.all(contentIds.map((id) => platform.write('restore', id)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(3).fill(state === 'archived' ? 200 : 409));
  });

  test('are others each time, and gone after a reset', async () => {
    const platform = new PlatformUnderTest();
    const before = await platform.tenant();
    const added = [
      await platform.control('POST', 'contents', TENANT),
      await platform.control('POST', 'contents', TENANT),
    ];
    const ids = added.flatMap(({ body }) => (body as { contentIds: string[] }).contentIds);

    expect((await platform.tenant()).archivedContentIds).toEqual([...before.archivedContentIds, ...ids]);
    await platform.control('POST', 'reset');
    expect(await platform.tenant()).toEqual(before);
  });
});

describe('clock', () => {
  test('advancing it ends tokens and moves the date of every answer', async () => {
    const platform = new PlatformUnderTest();
    const headers = await platform.bearer('api/read');

    await platform.control('POST', 'clock', { advanceSec: 3600 });

    const answers = [
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers }),
      await platform.requestToken(),
      await platform.send('GET', '/nowhere'),
      await platform.control('GET', 'counters'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 404, 200]);
    expect(new Set(answers.map((answer) => answer.headers.get('date')))).toEqual(
      new Set([new Date(NOON_MS + 3_600_000).toUTCString()]),
    );
  });
});

describe('counters', () => {
  test('count by target, method, real path and status, but not control itself', async () => {
    const platform = new PlatformUnderTest();
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
  test('tell of each when it came, where it went and how it ended, and nothing that was in it', async () => {
    const platform = new PlatformUnderTest();
    await platform.control('POST', 'clock', { advanceSec: 1 });
    await platform.requestToken();
    await platform.send('GET', '/staging/mea/rest/v1/contents?statuses=SECRET', {
      headers: { authorization: 'SECRET' },
    });
    await platform.control('POST', 'faults', { target: 'tenants', reset: 'before' });
    await platform.send('POST', '/tenant-service/live/tenants', { body: 'SECRET' });

    const answer = await platform.control('GET', 'requests');

    const at = '2026-01-31T12:00:01.000Z';
    const tokenPath = `/staging/mea/auth/oauth2/token/${TENANT.tenantId}`;
    expect(answer.body).toEqual({
      requests: [
        { at, target: 'token', method: 'POST', path: tokenPath, status: 200 },
        { at, target: 'content', method: 'GET', path: '/staging/mea/rest/v1/contents', status: 401 },
        { at, target: 'tenants', method: 'POST', path: '/tenant-service/live/tenants', status: 0 },
      ],
    });
  });

  test('are forgotten but for the last 200', async () => {
    const platform = new PlatformUnderTest();
    for (let n = 0; n <= 200; n += 1) {
      await platform.send('GET', `/staging/mea/rest/v1/contents/${n}`);
    }

    const { requests } = (await platform.control('GET', 'requests')).body as { requests: { path: string }[] };

    expect(requests).toHaveLength(200);
    expect(requests[0]?.path).toBe('/staging/mea/rest/v1/contents/1');
  });
});

describe('reset', () => {
  test('puts contents, faults, counters and audit trail back, and lets time go on', async () => {
    const platform = new PlatformUnderTest();
    const seeded = await platform.tenant();
    await platform.write('restore', seeded.archivedContentIds[0]);
    await platform.control('POST', 'faults', { target: 'token', status: 500 });
    await platform.control('POST', 'clock', { advanceSec: 60 });

    const answer = await platform.control('POST', 'reset');

    expect(answer.status).toBe(204);
    expect(await platform.tenant()).toEqual(seeded);
    expect((await platform.control('GET', 'counters')).body).toEqual({ requests: [] });
    expect((await platform.control('GET', 'requests')).body).toEqual({ requests: [] });
    expect((await platform.control('GET', 'audit')).body).toEqual({ changes: [] });
    expect((await platform.requestToken()).status).toBe(200);
    expect((await platform.control('GET', 'audit')).headers.get('date')).toBe(
      new Date(NOON_MS + 60_000).toUTCString(),
    );
  });

  test('keeps credentials, tokens, sessions and API keys, so that a running system is not broken', async () => {
    const platform = new PlatformUnderTest();
    const [credential, token, key] = [
      await platform.issueCredential(),
      await platform.bearer('api/read'),
      await platform.basic(),
    ];
    const session = await platform.logIn();

    await platform.control('POST', 'reset');

    const statuses = [
      await platform.requestToken(TENANT, 'content', credential),
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers: token }),
      await platform.send('GET', '/staging/mea/rest/v1/contents', { headers: key }),
      await platform.graphql(session),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });
});

describe('invalid input is answered with 400, naming field, value found and what is allowed', () => {
  test.each([
    [
      'faults',
      { target: 'contents', status: 500 },
      /target: got "contents"; .*"token"\|"content"\|"tenants"/,
    ],
    ['faults', { target: 'token', status: 99 }, /status: got 99; .*>=200/],
    [
      'faults',
      { target: 'token', match: { environment: 'live' }, status: 500 },
      /match\.environment: got "live"; .*"staging"\|"production"/,
    ],
    ['faults', { target: 'token', times: 0, status: 500 }, /times: got 0; .*>=1/],
    ['faults', { target: 'token', reset: 'midway' }, /reset: got "midway"; .*"before"\|"after"/],
    ['faults', { target: 'token', reset: 'before', status: 500 }, /reset: got "before"; .*leave out status/],
    ['faults', { target: 'token' }, /at least one of status, body, headers, delayMs, reset/],
    [
      'faults',
      { target: 'token', headers: { 'Content-Length': '3' } },
      /headers: got .*without Content-Length/,
    ],
    ['faults', { target: 'token', status: 500, time: 1 }, /Unrecognized key: "time"/],
    ['clock', { advanceSec: -1 }, /advanceSec: got -1; .*>=0/],
    ['clock', {}, /advanceSec: got nothing; /],
    [
      'credentials',
      { ...TENANT, tenantId: 'nobody' },
      /tenantId: got "nobody"; tenants of staging\/mea: me-south-1_Staging, /,
    ],
    [
      'api-keys',
      { ...TENANT, platformRegion: 'global' },
      /tenantId: got "me-south-1_Staging"; tenants of staging\/global: none/,
    ],
    ['sessions', { ...TENANT, tenantId: 'nobody' }, /tenantId: got "nobody"; tenants of staging\/mea: /],
    ['sessions', { ...TENANT, administrator: 'no' }, /administrator: got "no"; .*boolean/],
    ['sessions', { ...TENANT, validForSec: 0 }, /validForSec: got 0; .*>=1/],
    ['sessions', { ...TENANT, admin: true }, /Unrecognized key: "admin"/],
    ['key-lag', { sec: -1 }, /sec: got -1; .*>=0/],
    ['key-lag', {}, /sec: got nothing; /],
    ['key-lag', { sec: 1, unit: 'min' }, /Unrecognized key: "unit"/],
  ])('%s %j', async (path, input, message) => {
    const answer = await new PlatformUnderTest().control('POST', path, input);

    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(message) as string },
    });
  });

  test('malformed JSON', async () => {
    const answer = await new PlatformUnderTest().send('POST', '/_sandbox/faults', { body: '{' });

    expect(answer).toMatchObject({ status: 400, body: platformError(400, 'Bad Request') });
  });
});
