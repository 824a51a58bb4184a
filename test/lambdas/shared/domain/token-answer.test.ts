import fc from 'fast-check';

import { interpretTokenAnswer, type TokenHttpAnswer } from '../../../../lambdas/shared/domain/token-answer';
import { PlatformUnavailableError, TokenError } from '../../../../lambdas/shared/domain/token-errors';
import { NOON_MS } from '../../../support/lambdas/virtual-clock';

const REQUESTED = { interface: 'content', scope: 'api/read' } as const;
/** The answer of the platform's specification, "OAuth token response". */
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

describe('an answer that is believed', () => {
  test('yields the token with the life it states, counted from when the request was begun', () => {
    const issued = read();

    expect(issued).toEqual({
      accessToken: 'a.b-c',
      issuedAtMs: NOON_MS,
      expiresAtMs: NOON_MS + 3_600_000,
      isLifeAssumed: false,
      isClockSkewed: false,
    });
  });

  test.each(['bearer', 'BEARER', 'bEaReR'])('may write the token type as %s', (tokenType) => {
    expect(read({ body: { ...GRANTED, token_type: tokenType } }).accessToken).toBe('a.b-c');
  });

  test('may hold fields that nobody knows', () => {
    const body =
      '{"__proto__":{"expires_in":9},"x":[1],"access_token":"t","token_type":"Bearer","expires_in":60}';

    expect(read({ body })).toMatchObject({ accessToken: 't', expiresAtMs: NOON_MS + 60_000 });
  });

  test.each([8192, 1])('may hold a token of %d characters', (length) => {
    expect(read({ body: { ...GRANTED, access_token: 'x'.repeat(length) } }).accessToken).toHaveLength(length);
  });
});

// In spirit the rejection table of panva/oauth4webapi, test/client_credentials.test.ts.
describe('an answer with status 200 that is no token', () => {
  test.each<[string, unknown]>([
    ['an empty body', ''],
    ['HTML', '<html><body>signing in …</body></html>'],
    ['cut JSON', '{"access_token":"a","token_ty'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"a"'],
    ['a number', '7'],
    ['no access_token', { ...GRANTED, access_token: undefined }],
    ['an empty access_token', { ...GRANTED, access_token: '' }],
    ['an access_token that is no text', { ...GRANTED, access_token: 7 }],
    ['an access_token that is null', { ...GRANTED, access_token: null }],
    ['an access_token of 8193 characters', { ...GRANTED, access_token: 'x'.repeat(8193) }],
    ['no token_type', { ...GRANTED, token_type: undefined }],
    ['a token_type that is no text', { ...GRANTED, token_type: ['Bearer'] }],
    ['another token_type', { ...GRANTED, token_type: 'DPoP' }],
    ['an empty token_type', { ...GRANTED, token_type: '' }],
  ])('is a bad answer: %s', (_, body) => {
    expect(refusalOf({ body }).code).toBe('bad_platform_answer');
  });

  test.each([
    ['CR', '\r'],
    ['LF', '\n'],
    ['NUL', '\0'],
    ['tab', '\t'],
    ['space', ' '],
    ['DEL', '\x7f'],
    ['a letter beyond ASCII', 'ü'],
    ['a lone surrogate', '\ud800'],
  ])('is a bad answer: %s in the access_token', (_, character) => {
    expect(refusalOf({ body: { ...GRANTED, access_token: `a${character}b` } }).code).toBe(
      'bad_platform_answer',
    );
  });
});

describe('expires_in', () => {
  test.each<[string, unknown, number]>([
    ['1', 1, 1],
    ['digits as text', '3599', 3599],
    ['exactly a day', 86_400, 86_400],
    ['more than a day, capped', 86_401, 86_400],
    ['10^12, capped', 1e12, 86_400],
    ['10^12 as text, capped', '1000000000000', 86_400],
    ['digits beyond all numbers, capped', '9'.repeat(400), 86_400],
  ])('is taken: %s', (_, expiresIn, lifeSec) => {
    const issued = read({ body: { ...GRANTED, expires_in: expiresIn } });

    expect(issued).toMatchObject({ expiresAtMs: NOON_MS + lifeSec * 1000, isLifeAssumed: false });
  });

  test.each([undefined, null])(
    'that is %s counts as the specified life less ten minutes, flagged',
    (expiresIn) => {
      const issued = read({ body: { ...GRANTED, expires_in: expiresIn } });

      expect(issued).toMatchObject({ expiresAtMs: NOON_MS + 3_000_000, isLifeAssumed: true });
    },
  );

  test.each<[string, string]>([
    ['0', '0'],
    ['0 as text', '"0"'],
    ['negative', '-1'],
    ['negative as text', '"-1"'],
    ['a fraction', '3599.5'],
    ['beyond all numbers', '1e400'],
    ['NaN as text', '"NaN"'],
    ['an exponent as text', '"1e3"'],
    ['digits with a space', '" 3600"'],
    ['hexadecimal', '"0x10"'],
    ['nothing but zeros as text', '"000"'],
    ['digits of another script', '"٣٦٠٠"'],
    ['with a sign', '"+3600"'],
    ['empty text', '""'],
    ['a truth value', 'true'],
    ['a list', '[3600]'],
    ['an object', '{}'],
  ])('is refused: %s', (_, expiresIn) => {
    const body = `{"access_token":"a","token_type":"Bearer","expires_in":${expiresIn}}`;

    expect(refusalOf({ body }).code).toBe('bad_platform_answer');
  });

  test('whatever it is, never yields a token that has expired or lives longer than a day', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer(), fc.string(), fc.jsonValue()), (expiresIn) => {
        try {
          const { expiresAtMs } = read({ body: { ...GRANTED, expires_in: expiresIn } });
          return expiresAtMs > NOON_MS && expiresAtMs <= NOON_MS + 86_400_000;
        } catch (error) {
          return error instanceof TokenError && error.code === 'bad_platform_answer';
        }
      }),
    );
  });
});

describe('the Date header', () => {
  test.each([
    ['behind our clock by 300 s', -300_000, -300_000],
    ['behind our clock by 1 s', -1_000, -1_000],
    ['equal to our clock', 0, 0],
    ['ahead of our clock by 300 s', 300_000, 0],
    ['behind our clock by more than 300 s', -301_000, 0],
    ['ahead of our clock by a day', 86_400_000, 0],
  ])(
    '%s moves the issue to the earlier of both, within the drift that is believed',
    (_, driftMs, movedMs) => {
      const issued = read({ headers: { date: httpDate(NOON_MS + driftMs) } });

      expect(issued).toMatchObject({
        issuedAtMs: NOON_MS + movedMs,
        expiresAtMs: NOON_MS + movedMs + 3_600_000,
      });
    },
  );

  test.each([
    ['behind', -61_000, true],
    ['behind', -60_000, false],
    ['ahead', 60_000, false],
    ['ahead', 86_400_000, true],
  ])('%s by %d ms is a skew to report: %s', (_, driftMs, isClockSkewed) => {
    const issued = read({ headers: { date: httpDate(NOON_MS + driftMs) } });

    expect(issued).toMatchObject({ isClockSkewed });
  });

  test('by which the token is over already makes it a bad answer', () => {
    const headers = { date: httpDate(NOON_MS - 300_000) };

    expect(refusalOf({ headers, body: { ...GRANTED, expires_in: 300 } }).code).toBe('bad_platform_answer');
    expect(read({ headers, body: { ...GRANTED, expires_in: 301 } }).expiresAtMs).toBe(NOON_MS + 1_000);
  });

  test.each([
    '',
    'soon',
    '0',
    '2026-01-31T11:59:00Z',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Sat, 99 Jan 2026 11:59:00 GMT',
  ])('that says %j changes nothing', (date) => {
    expect(read({ headers: { date } }).issuedAtMs).toBe(NOON_MS);
  });

  test('never lets a token outlive its end by either clock, however far both are apart within 300 s', () => {
    const body = JSON.stringify(GRANTED);

    fc.assert(
      fc.property(fc.nat(999), fc.integer({ min: -300_000, max: 300_000 }), (milliseconds, driftMs) => {
        const ourNowMs = NOON_MS + milliseconds;
        const platformNowMs = ourNowMs + driftMs;
        const headers = { date: httpDate(platformNowMs) };

        const { expiresAtMs } = interpretTokenAnswer({ status: 200, headers, body }, REQUESTED, ourNowMs);

        return expiresAtMs <= ourNowMs + 3_600_000 && expiresAtMs <= platformNowMs + 3_600_000;
      }),
      // The header has whole seconds, so it may say 300.999 s.
      { examples: [[999, -300_000]] },
    );
  });
});

describe('T11: the granted scope', () => {
  test.each<[string, unknown]>([
    ['absent', undefined],
    ['null', null],
    ['equal', 'api/read'],
    ['equal, said twice with spaces around', ' api/read  api/read '],
  ])('is as requested: %s', (_, scope) => {
    expect(read({ body: { ...GRANTED, scope } }).accessToken).toBe('a.b-c');
  });

  test.each([
    ['another', 'api/write'],
    ['wider, yet without the requested word', 'api/all'],
    ['empty', ''],
    ['of other case', 'API/READ'],
    ['only beginning like the requested one', 'api/readonly'],
  ])('is refused as not the requested one: %s', (_, scope) => {
    expect(refusalOf({ body: { ...GRANTED, scope } }).code).toBe('scope_refused');
  });

  test.each<[string, unknown]>([
    ['wider', 'api/read api/write'],
    ['a list', ['api/read']],
    ['a number', 1],
    ['an object', {}],
  ])('is a bad answer: %s', (_, scope) => {
    expect(refusalOf({ body: { ...GRANTED, scope } }).code).toBe('bad_platform_answer');
  });
});

describe('a status other than 200', () => {
  const EXPECTED = (status: number) => {
    if (status === 408 || status === 429 || status >= 500) return 'platform_unavailable';
    return status === 401 || status === 403 ? 'credential_refused' : 'bad_platform_answer';
  };
  const statuses = Array.from({ length: 399 }, (_, index) => 201 + index);

  test('is told apart by what can be done about it, for every status from 201 to 599', () => {
    const codes = statuses.map((status) => [status, refusalOf({ status }).code]);

    expect(codes).toEqual(statuses.map((status) => [status, EXPECTED(status)]));
  });

  test('is worth another try only where it is an outage', () => {
    const retryable = statuses.filter((status) => refusalOf({ status }) instanceof PlatformUnavailableError);

    expect(retryable).toEqual(statuses.filter((status) => EXPECTED(status) === 'platform_unavailable'));
  });

  test.each([300, 301, 302, 303, 307, 308])('%d says that a redirect is never followed', (status) => {
    const refusal = refusalOf({ status, headers: { location: 'https://elsewhere.example/' } });

    expect(refusal).toMatchObject({
      message: `the token endpoint answered ${status}, a redirect, which is never followed`,
      fault: 'redirected',
    });
  });

  test.each([204, 400, 404])('%d is no redirect', (status) => {
    expect(refusalOf({ status })).toMatchObject({ fault: 'bad_platform_answer' });
  });

  // RFC 6749, section 5.2
  test.each([
    [400, 'invalid_client', 'credential_refused'],
    [401, 'invalid_client', 'credential_refused'],
    [400, 'unauthorized_client', 'credential_refused'],
    [400, 'invalid_grant', 'credential_refused'],
    [400, 'invalid_scope', 'scope_refused'],
    [401, 'invalid_scope', 'scope_refused'],
    [400, 'invalid_request', 'bad_platform_answer'],
    [400, 'unsupported_grant_type', 'bad_platform_answer'],
    [503, 'invalid_client', 'platform_unavailable'],
    [429, 'invalid_client', 'platform_unavailable'],
  ])('%d %s is %s, and is named', (status, error, code) => {
    const refusal = refusalOf({ status, body: { error, error_description: 'canary' } });

    expect(refusal).toMatchObject({ code, message: `the token endpoint answered ${status} ${error}` });
  });

  test.each<[string, unknown]>([
    ['empty', ''],
    ['HTML', '<h1>canary</h1>'],
    ['2 MiB', 'canary'.repeat(350_000)],
    ['deeply nested', '['.repeat(100_000)],
    ['an error that no standard knows', { error: 'canary' }],
    ['an error that is no text', { error: ['canary'] }],
    ['the shape of the content interface', { status: 400, error: 'canary', message: 'canary' }],
  ])('with a body that is %s is told without its text', (_, body) => {
    expect(refusalOf({ status: 400, body }).message).toBe('the token endpoint answered 400');
  });

  test('reads the date of Retry-After by the clock of the platform, however far off that is', () => {
    const platformNowMs = NOON_MS - 3_600_000;
    const headers = { date: httpDate(platformNowMs), 'retry-after': httpDate(platformNowMs + 9_000) };

    expect(refusalOf({ status: 429, headers }).retryAfterMs).toBe(9_000);
  });

  test.each([
    ['in seconds', '7', 7_000],
    ['as a date', httpDate(NOON_MS + 9_000), 9_000],
    ['absent', undefined, undefined],
  ])('passes on Retry-After %s', (_, header, retryAfterMs) => {
    expect(refusalOf({ status: 429, headers: { 'retry-after': header } }).retryAfterMs).toBe(retryAfterMs);
  });
});
