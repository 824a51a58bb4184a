import { interpretTokenAnswer, type TokenHttpAnswer } from '../../../core/tokens/token-answer';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const REQUESTED = { interface: 'content', scope: 'api/read' } as const;
/** The answer in the platform's specification, "OAuth token response". */
const GRANTED = { access_token: 'a.b-c', expires_in: 3600, token_type: 'Bearer' };

function read(change: Partial<Omit<TokenHttpAnswer, 'body'>> & { body?: unknown } = {}) {
  const { body = GRANTED, ...rest } = change;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return interpretTokenAnswer({ status: 200, headers: {}, ...rest, body: text }, REQUESTED, NOON_MS);
}

function refusalOf(change: Parameters<typeof read>[0]): TokenError {
  try {
    read(change);
  } catch (error) {
    if (error instanceof TokenError) return error;
    throw error;
  }
  throw new Error('the answer was accepted');
}

const httpDate = (ms: number) => new Date(ms).toUTCString();

describe('a valid answer', () => {
  test('yields the token with its lifetime, counted from the start of the request', () => {
    expect(read()).toEqual({
      accessToken: 'a.b-c',
      issuedAtMs: NOON_MS,
      expiresAtMs: NOON_MS + 3_600_000,
      isLifeAssumed: false,
      isClockSkewed: false,
    });
  });

  test.each<[string, object]>([
    ['a token type in other case', { token_type: 'bEaReR' }],
    ['unknown fields', JSON.parse('{"__proto__":{"expires_in":9},"x":[1]}') as object],
    ['a token of 1 character', { access_token: 'x' }],
    ['a token of 8192 characters', { access_token: 'x'.repeat(8192) }],
    ['no scope', { scope: undefined }],
    ['a scope that is null', { scope: null }],
    ['the requested scope', { scope: 'api/read' }],
    ['the requested scope, repeated with extra spaces', { scope: ' api/read  api/read ' }],
  ])('may have %s', (_, change) => {
    const body = { ...GRANTED, ...change };

    expect(read({ body })).toMatchObject({
      accessToken: body.access_token,
      expiresAtMs: NOON_MS + 3_600_000,
    });
  });
});

// Based on the rejections in panva/oauth4webapi, test/client_credentials.test.ts.
test.each<[string, unknown]>([
  ['an empty body', ''],
  ['HTML', '<html><body>signing in …</body></html>'],
  ['cut JSON', '{"access_token":"a","token_ty'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"a"'],
  ['a token inside __proto__', `{"__proto__":${JSON.stringify(GRANTED)}}`],
  ['a token inside constructor', `{"constructor":${JSON.stringify(GRANTED)}}`],
  ['no access_token', { ...GRANTED, access_token: undefined }],
  ['an empty access_token', { ...GRANTED, access_token: '' }],
  ['an access_token that is not a string', { ...GRANTED, access_token: 7 }],
  ['an access_token of 8193 characters', { ...GRANTED, access_token: 'x'.repeat(8193) }],
  ['no token_type', { ...GRANTED, token_type: undefined }],
  ['a token_type that is not a string', { ...GRANTED, token_type: ['Bearer'] }],
  ['another token_type', { ...GRANTED, token_type: 'DPoP' }],
  ...['\r', '\n', '\0', '\t', ' ', '\x7f', 'ü', '\ud800'].map((character): [string, object] => [
    `an access_token with ${JSON.stringify(character)}`,
    { ...GRANTED, access_token: `a${character}b` },
  ]),
])('an answer with status 200 that is not a token is a bad answer: %s', (_, body) => {
  expect(refusalOf({ body }).code).toBe('bad_platform_answer');
});

describe('expires_in', () => {
  test.each<[string, unknown, number]>([
    ['1', 1, 1],
    ['digits in a string', '3599', 3599],
    // 360Learning's reference shows one.
    ['a fraction, of which the whole seconds count', 3599.9, 3599],
    ['exactly a day', 86_400, 86_400],
    ['more than a day, capped', 86_401, 86_400],
    ['10^12 in a string, capped', '1000000000000', 86_400],
    ['more digits than any number, capped', '9'.repeat(400), 86_400],
  ])('is accepted: %s', (_, expiresIn, lifeSec) => {
    expect(read({ body: { ...GRANTED, expires_in: expiresIn } })).toMatchObject({
      expiresAtMs: NOON_MS + lifeSec * 1000,
      isLifeAssumed: false,
    });
  });

  test.each([undefined, null])(
    'that is %s counts as the specified lifetime less ten minutes',
    (expiresIn) => {
      expect(read({ body: { ...GRANTED, expires_in: expiresIn } })).toMatchObject({
        expiresAtMs: NOON_MS + 3_000_000,
        isLifeAssumed: true,
      });
    },
  );

  test.each([
    ...['0', '"0"', '-1', '"-1"', '0.9', '1e400', '"NaN"', '"1e3"', '" 3600"', '"0x10"', '"000"'],
    ...['"٣٦٠٠"', '"+3600"', '""', 'true', '[3600]', '{}'],
  ])('is refused: %s', (expiresIn) => {
    const body = `{"access_token":"a","token_type":"Bearer","expires_in":${expiresIn}}`;

    expect(refusalOf({ body }).code).toBe('bad_platform_answer');
  });
});

describe('the Date header', () => {
  /** What a token says whose answer has a Date this far ahead of our clock. */
  const readWith = (aheadMs: number) => read({ headers: { date: httpDate(NOON_MS + aheadMs) } });

  test.each([
    ['behind our clock by more than 300 s', -301_000, 0],
    ['behind our clock by 300 s', -300_000, -300_000],
    ['behind our clock by 1 s', -1_000, -1_000],
    ['ahead of our clock by 300 s', 300_000, 0],
    ['ahead of our clock by a day', 86_400_000, 0],
  ])('%s moves the issue time to the earlier of both, within the accepted drift', (_, aheadMs, movedMs) => {
    const issuedAtMs = NOON_MS + movedMs;

    expect(readWith(aheadMs)).toMatchObject({ issuedAtMs, expiresAtMs: issuedAtMs + 3_600_000 });
  });

  test('has whole seconds, so a drift of 300 s is believed when it says 300.999 s', () => {
    const headers = { date: httpDate(NOON_MS - 300_000) };
    const answer = { status: 200, headers, body: JSON.stringify(GRANTED) };

    expect(interpretTokenAnswer(answer, REQUESTED, NOON_MS + 999).issuedAtMs).toBe(NOON_MS - 300_000);
  });

  test('is a skew to report if it is more than a minute away from our clock', () => {
    const isSkewed = [-61_000, -60_000, 60_000, 61_000].map((aheadMs) => readWith(aheadMs).isClockSkewed);

    expect(isSkewed).toEqual([true, false, false, true]);
  });

  test('by which the token has already expired causes an error', () => {
    const headers = { date: httpDate(NOON_MS - 300_000) };

    expect(refusalOf({ headers, body: { ...GRANTED, expires_in: 300 } }).code).toBe('bad_platform_answer');
    expect(read({ headers, body: { ...GRANTED, expires_in: 301 } }).expiresAtMs).toBe(NOON_MS + 1_000);
  });

  test.each(['soon', '2026-01-31T11:59:00Z', httpDate(0)])('that says %j changes nothing', (date) => {
    expect(read({ headers: { date } }).issuedAtMs).toBe(NOON_MS);
  });
});

test.each<[string, unknown, string]>([
  ['another', 'api/write', 'scope_refused'],
  ['empty', '', 'scope_refused'],
  ['in other case', 'API/READ', 'scope_refused'],
  ['only starting like the requested one', 'api/readonly', 'scope_refused'],
  ['only the beginning of the requested one', 'api/rea', 'scope_refused'],
  ['separated by a comma', 'api/read,api/write', 'scope_refused'],
  ['separated by a tab', 'api/read\tapi/write', 'scope_refused'],
  ['wider', 'api/write api/read', 'bad_platform_answer'],
  ['a list', ['api/read'], 'bad_platform_answer'],
])('T11: a granted scope that is not the requested one is refused: %s', (_, scope, code) => {
  expect(refusalOf({ body: { ...GRANTED, scope } }).code).toBe(code);
});

describe('a status other than 200', () => {
  const EXPECTED = (status: number) => {
    if (status === 408 || status === 429 || status >= 500) return 'platform_unavailable';
    return status === 401 || status === 403 ? 'credential_refused' : 'bad_platform_answer';
  };

  test('causes an error code by its remedy, for every status from 201 to 599; only an outage is retryable', () => {
    for (let status = 201; status < 600; status += 1) {
      const refusal = refusalOf({ status });
      expect([status, refusal.code]).toEqual([status, EXPECTED(status)]);
      expect(refusal instanceof PlatformUnavailableError).toBe(refusal.code === 'platform_unavailable');
    }
  });

  test.each([
    ...[300, 307, 399].map(
      (status) => [status, ', a redirect, which is never followed', 'redirected'] as const,
    ),
    [404, ': check the token base URL and the tenant id', 'bad_platform_answer'] as const,
    ...[204, 400].map((status) => [status, '', 'bad_platform_answer'] as const),
  ])('%d says what to check%s', (status, says, fault) => {
    const refusal = refusalOf({ status, headers: { location: 'https://elsewhere.example/' } });

    expect(refusal).toMatchObject({ message: `the token endpoint answered ${status}${says}`, fault });
  });

  // RFC 6749, section 5.2
  test.each([
    [400, 'invalid_client', 'credential_refused'],
    [400, 'unauthorized_client', 'credential_refused'],
    [400, 'invalid_grant', 'credential_refused'],
    [400, 'invalid_scope', 'scope_refused'],
    [401, 'invalid_scope', 'scope_refused'],
    [400, 'invalid_request', 'bad_platform_answer'],
    [400, 'unsupported_grant_type', 'bad_platform_answer'],
    [400, 'access_denied', 'bad_platform_answer'],
    [503, 'invalid_client', 'platform_unavailable'],
  ])('%d %s is %s, and is named', (status, error, code) => {
    const refusal = refusalOf({ status, body: { error, error_description: 'canary' } });

    expect(refusal).toMatchObject({ code, message: `the token endpoint answered ${status} ${error}` });
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['HTML', '<h1>canary</h1>'],
    ['2 MiB', 'canary'.repeat(350_000)],
    ['deeply nested', '['.repeat(100_000)],
    ['an error that is no code', { error: 'canary' }],
    ['an error with other characters than a code has', { error: 'canary_Value1' }],
    ['an error that is longer than a code', { error: `canary_${'a'.repeat(40)}` }],
    ['an error in a list', { error: ['invalid_client'] }],
    ['an error that cannot be a string', { error: { toString: 'canary', valueOf: 'canary' } }],
  ])('with a body that is %s causes an error without its text', (_, body) => {
    expect(refusalOf({ status: 400, body }).message).toBe('the token endpoint answered 400');
  });

  test('interprets a date in Retry-After by the platform’s clock, however wrong, or else by ours', () => {
    const waitOf = (headers: Record<string, string>) => refusalOf({ status: 429, headers }).retryAfterMs;
    const theirsMs = NOON_MS - 3_600_000;

    expect(waitOf({ date: httpDate(theirsMs), 'retry-after': httpDate(theirsMs + 9_000) })).toBe(9_000);
    expect(waitOf({ 'retry-after': httpDate(NOON_MS + 9_000) })).toBe(9_000);
  });
});
