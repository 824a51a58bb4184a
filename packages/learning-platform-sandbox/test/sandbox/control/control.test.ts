import { platformError, PlatformUnderTest, TENANT } from '../platform-under-test';

const NOBODY = { ...TENANT, tenantId: 'nobody' };

/** By operation, with what the message names. */
const INVALID: Record<string, [input: object, message: RegExp][]> = {
  faults: [
    [
      { target: 'contents', status: 500 },
      /target: found "contents"; allowed: token, content, tenants, webhooks, resource/,
    ],
    [{ target: 'token', status: 99 }, /status: found 99; allowed: .*>=200/],
    [
      { target: 'token', match: { environment: 'live' }, status: 500 },
      /match\.environment: found "live"; allowed: .*staging, production/,
    ],
    [{ target: 'token', times: 0, status: 500 }, /times: found 0; allowed: .*>=1/],
    [{ target: 'token', reset: 'midway' }, /reset: found "midway"; allowed: .*before, after/],
    [{ target: 'token', reset: 'before', status: 500 }, /reset: found "before"; allowed: .*without status/],
    [{ target: 'token' }, /at least one of status, body, headers, delayMs, reset, .*/],
    [{ target: 'token', headers: { 'Content-Length': '3' } }, /headers: found .*except Content-Length/],
    [{ target: 'token', status: 500, time: 1 }, /^time: found a field of this name; allowed: target, /],
  ],
  clock: [[{ advanceSec: -1 }, /advanceSec: found -1; allowed: .*>=0/]],
  credentials: [[NOBODY, /tenantId: found "nobody"; allowed: tenants of staging\/mea: me-south-1_Staging, /]],
  'api-keys': [
    [
      { ...TENANT, platformRegion: 'global' },
      /tenantId: found "me-south-1_Staging"; allowed: tenants of staging\/global: none/,
    ],
  ],
  sessions: [
    [NOBODY, /tenantId: found "nobody"; allowed: tenants of staging\/mea: /],
    [{ ...TENANT, administrator: 'no' }, /administrator: found "no"; allowed: .*boolean/],
    [{ ...TENANT, validForSec: 0 }, /validForSec: found 0; allowed: .*>=1/],
    [{ ...TENANT, admin: true }, /^admin: found a field of this name; allowed: /],
  ],
  'key-lag': [
    [{ sec: -1 }, /sec: found -1; allowed: .*>=0/],
    [{ sec: 1, unit: 'min' }, /^unit: found a field of this name; allowed: /],
  ],
  contents: [
    [{ ...TENANT, status: 'gone' }, /status: found "gone"; allowed: .*archived/],
    [{ ...TENANT, items: [{ status: 'error' }] }, /items\[0\]\.failureReason: found nothing; /],
    [{ ...TENANT, status: 'draft', items: [{}] }, /status: found "draft"; /],
  ],
  processing: [
    [{ takesSec: -1 }, /takesSec: found -1; allowed: .*>=0/],
    [{ takes: 1 }, /^takes: found a field of this name; allowed: /],
  ],
  'item-failures': [
    [{ times: 0 }, /reason: found nothing; allowed: .*times: found 0; allowed: .*>=1/],
    [{ reason: 'x', match: { type: 'song' } }, /match\.type: found "song"; allowed: .*video/],
  ],
  restore: [
    [{ available: 'yes', actingUserIn: 'query' }, /available: found "yes".*actingUserIn: found "query"/],
    [
      { actingUserHeaders: { authorRef: 'a b', collaborationId: 'c' } },
      /actingUserHeaders\.authorRef: found .*a header name/,
    ],
    [{ actingUserHeaders: { authorRef: 'a' } }, /actingUserHeaders\.collaborationId: found nothing/],
  ],
};

describe.each(Object.entries(INVALID))(
  'POST %s: 400 names the field, the value found and what is allowed',
  (path, cases) => {
    test.each(cases)('%j', async (input, message) => {
      const answer = await new PlatformUnderTest().control('POST', path, input);

      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'Bad Request', message: expect.stringMatching(message) as string },
      });
    });
  },
);

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
