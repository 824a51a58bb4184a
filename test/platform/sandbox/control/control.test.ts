import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

describe('invalid input gets 400 with the field, the value found and what is allowed', () => {
  test.each([
    [
      'faults',
      { target: 'contents', status: 500 },
      /target: got "contents"; .*"token"\|"content"\|"tenants"\|"webhooks"/,
    ],
    ['faults', { target: 'token', status: 99 }, /status: got 99; .*>=200/],
    [
      'faults',
      { target: 'token', match: { environment: 'live' }, status: 500 },
      /match\.environment: got "live"; .*"staging"\|"production"/,
    ],
    ['faults', { target: 'token', times: 0, status: 500 }, /times: got 0; .*>=1/],
    ['faults', { target: 'token', reset: 'midway' }, /reset: got "midway"; .*"before"\|"after"/],
    ['faults', { target: 'token', reset: 'before', status: 500 }, /reset: got "before"; .*not with status/],
    ['faults', { target: 'token' }, /at least one of status, body, headers, delayMs, reset, .* is needed/],
    [
      'faults',
      { target: 'token', headers: { 'Content-Length': '3' } },
      /headers: got .*except Content-Length/,
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
    ['contents', { ...TENANT, status: 'gone' }, /status: got "gone"; .*"archived"/],
    ['contents', { ...TENANT, items: [{ status: 'error' }] }, /items\.0\.failureReason: got nothing; /],
    ['contents', { ...TENANT, items: [{ failureReason: 'x' }] }, /items\.0\.failureReason: got "x"; /],
    ['contents', { ...TENANT, status: 'ready', items: [] }, /status: got "ready"; /],
    ['contents', { ...TENANT, status: 'draft', items: [{}] }, /status: got "draft"; /],
    ['processing', { takesSec: -1 }, /takesSec: got -1; .*>=0/],
    ['processing', { takes: 1 }, /Unrecognized key: "takes"/],
    ['item-failures', { times: 0 }, /reason: got nothing; .*times: got 0; .*>=1/],
    ['item-failures', { reason: 'x', match: { type: 'song' } }, /match\.type: got "song"; .*"video"/],
    [
      'restore',
      { available: 'yes', actingUserIn: 'query' },
      /available: got "yes".*actingUserIn: got "query"/,
    ],
    ['key-lag', { sec: 1, unit: 'min' }, /Unrecognized key: "unit"/],
  ])('%s %j', async (path, input, message) => {
    const answer = await new PlatformUnderTest().control('POST', path, input);

    expect(answer).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', message: expect.stringMatching(message) as string },
    });
  });
});

describe('every operation with input refuses a malformed one without quoting it', () => {
  test.each([
    'POST faults',
    'POST clock',
    'POST tenants',
    'POST contents',
    'POST processing',
    'POST item-failures',
    'POST restore',
    'POST key-lag',
    'POST credentials',
    'POST api-keys',
    'POST sessions',
    'DELETE credentials',
    'DELETE api-keys',
    'DELETE sessions',
    'DELETE tokens',
  ])('%s', async (operation) => {
    const [method = '', path = ''] = operation.split(' ');
    const platform = new PlatformUnderTest();
    const inputs = ['', '{', 'null', '7', 'SECRET', '"SECRET"', '[["SECRET"]]', '{"more":"SECRET"}'];

    const answers = await Promise.all(
      inputs.map((body) => platform.send(method, `/_sandbox/${path}`, { body })),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: platformError(400, 'Bad Request') });
    }
    expect(JSON.stringify(answers)).not.toContain('SECRET');
  });
});
