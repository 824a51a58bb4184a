import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { describeFailure, ensure } from '../../../lambdas/token-refresh/ensure';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { tokenSecretOf, TokenFunctions } from './support/token-functions';

const FIELDS = { tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

function ask(minValidityMs = 60_000, endsInMs = 25_000) {
  const request = { key: KEY, minValidityMs, rejectedTokenSha256: undefined };
  return ensure(functions, request, functions.clock.monotonicMs() + endsInMs);
}

describe('the answer to a caller', () => {
  test('names the secret, its version and its expiry, but not the token', async () => {
    const answer = await ask();

    expect(answer).toEqual({
      ok: true,
      arn: arnOf(tokenSecretOf(KEY)),
      versionId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      expiresAt: '2026-01-31T13:00:00.000Z',
      refreshed: true,
    });
    expect(JSON.stringify([answer, functions.log.lines])).not.toContain('token-1');
    expect(functions.log.lines).toEqual([
      { level: 'info', message: 'token renewed', ...FIELDS, expiresAt: '2026-01-31T13:00:00.000Z' },
    ]);
  });

  test('logs nothing if nothing was done', async () => {
    functions.store();

    expect(await ask()).toMatchObject({ ok: true, refreshed: false });
    expect(functions.log.lines).toEqual([]);
  });

  test('is a success with a warning in the log if the stored token serves despite a failure', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    functions.issuer.always = () => new TokenError('credential_refused', 'refused');

    expect(await ask()).toMatchObject({ ok: true, refreshed: false, expiresAt: '2026-01-31T12:15:00.000Z' });
    expect(functions.log.lines).toEqual([
      {
        level: 'warn',
        message: 'token not renewed, the stored one still serves',
        ...FIELDS,
        code: 'credential_refused',
        detail: 'refused',
      },
    ]);
  });

  test('says why there is no usable token, and when to retry', async () => {
    functions.issuer.always = () =>
      new PlatformUnavailableError('the token endpoint answered 429', { retryAfterMs: 30_001 });

    expect(await ask()).toEqual({
      ok: false,
      error: {
        code: 'platform_unavailable',
        message: 'the token endpoint answered 429',
        retryAfterSec: 31,
      },
    });
    expect(functions.log.lines).toEqual([
      {
        level: 'error',
        message: 'no usable token',
        ...FIELDS,
        code: 'platform_unavailable',
        detail: 'the token endpoint answered 429',
      },
    ]);
  });

  test('is a function error if there is a bug', async () => {
    functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

    await expect(ask()).rejects.toThrow(TypeError);
  });

  test.each([
    ['its own ten seconds', 25_000, 10_000],
    ['the end of the invocation', 6_000, 6_000],
  ])('is given within %s', async (_, endsInMs, withinMs) => {
    const startMs = functions.clock.nowMs();
    functions.issuer.latencyMs = 60_000;
    functions.issuer.always = () => new PlatformUnavailableError('no answer');

    await ask(60_000, endsInMs);

    expect(functions.clock.nowMs() - startMs).toBeLessThanOrEqual(withinMs);
  });
});

describe('retryAfterSec of the answer', () => {
  test.each([
    ['an outage', new PlatformUnavailableError('down'), 10],
    [
      'an outage that is over at once, as the platform says',
      new PlatformUnavailableError('down', { retryAfterMs: 0 }),
      10,
    ],
    ['a wait that the platform stated', new PlatformUnavailableError('down', { retryAfterMs: 30_000 }), 30],
    ['a refused credential', new TokenError('credential_refused', 'refused'), 60],
    ['a bad answer', new TokenError('bad_platform_answer', 'HTML'), 60],
  ])('after %s is the earliest useful retry', async (_, error, retryAfterSec) => {
    functions.issuer.always = () => error;

    expect(await ask()).toMatchObject({ ok: false, error: { code: error.code, retryAfterSec } });
  });
});

describe('a failure as the contract has it', () => {
  test('has no retryAfterSec if it is unknown', () => {
    const error = new TokenError('not_loaded', 'nothing loaded', { cause: new Error('canary') });

    expect(describeFailure(error)).toEqual({ code: 'not_loaded', message: 'nothing loaded' });
  });

  test.each([
    [0, 0],
    [1, 1],
    [60_000, 60],
  ])('rounds %d ms up to %d s', (retryAfterMs, retryAfterSec) => {
    const error = new TokenError('platform_unavailable', 'down', { retryAfterMs });

    expect(describeFailure(error).retryAfterSec).toBe(retryAfterSec);
  });
});
