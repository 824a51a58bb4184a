import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { describeFailure } from '../../../lambdas/token-refresh/ensure';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { REFUSED, tokenSecretOf, TokenFunctions } from './support/token-functions';

const FIELDS = { tenantId: TENANT_ID, interface: 'content', scope: 'api/read' };
const outage = (retryAfterMs?: number) =>
  new PlatformUnavailableError('the token endpoint answered 429', { retryAfterMs });

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

describe('the answer to a caller', () => {
  test('names the secret, its version and its expiry, but not the token', async () => {
    const expiresAt = '2026-01-31T13:00:00.000Z';

    const answer = await functions.ensure();

    expect(answer).toEqual({
      ok: true,
      arn: arnOf(tokenSecretOf(KEY)),
      versionId: expect.stringMatching(/^[\da-f-]{36}$/) as string,
      expiresAt,
      refreshed: true,
    });
    expect(JSON.stringify([answer, functions.log.lines])).not.toContain('token-1');
    expect(functions.log.lines).toEqual([{ level: 'info', message: 'token renewed', ...FIELDS, expiresAt }]);
  });

  test('logs nothing if nothing was done', async () => {
    functions.store();

    expect(await functions.ensure()).toMatchObject({ ok: true, refreshed: false });
    expect(functions.log.lines).toEqual([]);
  });

  test('is a success with a warning in the log if the stored token serves despite a failure', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    functions.issuer.always = () => REFUSED;

    const expiresAt = '2026-01-31T12:15:00.000Z';
    expect(await functions.ensure()).toMatchObject({ ok: true, refreshed: false, expiresAt });
    const { code, message: detail } = REFUSED;
    expect(functions.log.lines).toEqual([
      { level: 'warn', message: 'token not renewed, the stored one still serves', ...FIELDS, code, detail },
    ]);
  });

  test('says why there is no usable token, and when to retry', async () => {
    functions.issuer.always = () => outage(30_001);

    const { code, message } = outage();
    expect(await functions.ensure()).toEqual({ ok: false, error: { code, message, retryAfterSec: 31 } });
    expect(functions.log.lines).toEqual([
      { level: 'error', message: 'no usable token', ...FIELDS, code, detail: message },
    ]);
  });

  test('is a function error if there is a bug', async () => {
    functions.tokens.read = () => Promise.reject(new TypeError('a bug'));

    await expect(functions.ensure()).rejects.toThrow(TypeError);
  });

  test.each([
    ['its own ten seconds', 25_000, 10_000],
    ['the end of the invocation', 6_000, 6_000],
  ])('is given within %s', async (_, endsInMs, withinMs) => {
    const startMs = functions.clock.nowMs();
    functions.issuer.latencyMs = 60_000;
    functions.issuer.always = () => outage();

    await functions.ensure({}, endsInMs);

    expect(functions.clock.nowMs() - startMs).toBeLessThanOrEqual(withinMs);
  });
});

describe('retryAfterSec of the answer', () => {
  test.each([
    ['an outage', outage(), 10],
    ['an outage that is over at once, as the platform says', outage(0), 10],
    ['a refused credential', REFUSED, 60],
  ])('after %s is the earliest useful retry', async (_, error, retryAfterSec) => {
    functions.issuer.always = () => error;

    expect(await functions.ensure()).toMatchObject({ ok: false, error: { code: error.code, retryAfterSec } });
  });

  test('is absent if it is unknown, as is the cause', () => {
    const error = new TokenError('not_loaded', 'nothing loaded', { cause: new Error('canary') });

    expect(describeFailure(error)).toEqual({ code: 'not_loaded', message: 'nothing loaded' });
  });
});
