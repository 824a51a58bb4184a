import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

describe('invalid input gets 400 with the field, the value found and what is allowed', () => {
  test.each([
    [
      'faults',
      { target: 'contents', status: 500 },
      /target: found "contents"; allowed: .*token, content, tenants, webhooks/,
    ],
    ['faults', { target: 'token', status: 99 }, /status: found 99; allowed: .*>=200/],
    [
      'faults',
      { target: 'token', match: { environment: 'live' }, status: 500 },
      /match\.environment: found "live"; allowed: .*staging, production/,
    ],
    ['faults', { target: 'token', times: 0, status: 500 }, /times: found 0; allowed: .*>=1/],
    ['faults', { target: 'token', reset: 'midway' }, /reset: found "midway"; allowed: .*before, after/],
    [
      'faults',
      { target: 'token', reset: 'before', status: 500 },
      /reset: found "before"; allowed: .*without status/,
    ],
    ['faults', { target: 'token' }, /at least one of status, body, headers, delayMs, reset, .*/],
    [
      'faults',
      { target: 'token', headers: { 'Content-Length': '3' } },
      /headers: found .*except Content-Length/,
    ],
    [
      'faults',
      { target: 'token', status: 500, time: 1 },
      /^time: found a field of this name; allowed: target, /,
    ],
    ['clock', { advanceSec: -1 }, /advanceSec: found -1; allowed: .*>=0/],
    [
      'credentials',
      { ...TENANT, tenantId: 'nobody' },
      /tenantId: found "nobody"; allowed: tenants of staging\/mea: me-south-1_Staging, /,
    ],
    [
      'api-keys',
      { ...TENANT, platformRegion: 'global' },
      /tenantId: found "me-south-1_Staging"; allowed: tenants of staging\/global: none/,
    ],
    [
      'sessions',
      { ...TENANT, tenantId: 'nobody' },
      /tenantId: found "nobody"; allowed: tenants of staging\/mea: /,
    ],
    ['sessions', { ...TENANT, administrator: 'no' }, /administrator: found "no"; allowed: .*boolean/],
    ['sessions', { ...TENANT, validForSec: 0 }, /validForSec: found 0; allowed: .*>=1/],
    ['sessions', { ...TENANT, admin: true }, /^admin: found a field of this name; allowed: /],
    ['key-lag', { sec: -1 }, /sec: found -1; allowed: .*>=0/],
    ['contents', { ...TENANT, status: 'gone' }, /status: found "gone"; allowed: .*archived/],
    ['contents', { ...TENANT, items: [{ status: 'error' }] }, /items\[0\]\.failureReason: found nothing; /],
    ['contents', { ...TENANT, status: 'draft', items: [{}] }, /status: found "draft"; /],
    ['processing', { takesSec: -1 }, /takesSec: found -1; allowed: .*>=0/],
    ['processing', { takes: 1 }, /^takes: found a field of this name; allowed: /],
    ['item-failures', { times: 0 }, /reason: found nothing; allowed: .*times: found 0; allowed: .*>=1/],
    [
      'item-failures',
      { reason: 'x', match: { type: 'song' } },
      /match\.type: found "song"; allowed: .*video/,
    ],
    [
      'restore',
      { available: 'yes', actingUserIn: 'query' },
      /available: found "yes".*actingUserIn: found "query"/,
    ],
    [
      'restore',
      { actingUserHeaders: { authorRef: 'a b', collaborationId: 'c' } },
      /actingUserHeaders\.authorRef: found .*a header name/,
    ],
    [
      'restore',
      { actingUserHeaders: { authorRef: 'a' } },
      /actingUserHeaders\.collaborationId: found nothing/,
    ],
    ['key-lag', { sec: 1, unit: 'min' }, /^unit: found a field of this name; allowed: /],
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
