import { sha256Hex } from '../../../core/secrets/sha256';
import { tokenStateOf } from '../../../core/tokens/stored-token';
import { type ChangeEvents } from '../../../lambdas/shared/ports';
import { PlatformUnavailableError, TokenError } from '../../../core/tokens/token-errors';
import { type Requirement } from '../../../lambdas/token-refresh/requirement';
import { refreshToken } from '../../../lambdas/token-refresh/refresh-token';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { failureOf } from '../../support/lambdas/failure-of';
import { KEY, keyOf, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import {
  CREDENTIAL_ID,
  credentialSecretOf,
  type StoredChange,
  tokenSecretOf,
  TokenFunctions,
  versionIdOf,
} from './support/token-functions';

const NAME = tokenSecretOf(KEY);
const CREDENTIAL = credentialSecretOf(KEY);
/** The time that a renewal reserves for the write. */
const WRITE_RESERVE_MS = 1_500;
const DOWN = new PlatformUnavailableError('the token endpoint answered 503');

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

function refresh(change: Partial<Requirement> = {}, key = KEY) {
  const deadlineMs = functions.clock.monotonicMs() + 10_000;
  return refreshToken(functions, key, { minValidityMs: 60_000, deadlineMs, ...change });
}

describe('requests in excess', () => {
  const excessOf = async (ageMin: number) => {
    const { accessToken } = functions.store({ issuedAtMs: functions.clock.nowMs() - ageMin * MINUTE_MS });
    await refresh({ rejectedTokenSha256: sha256Hex(accessToken) });
    return functions.metrics.counts.TokenRequestExcess;
  };

  test.each([
    [9, 1],
    [10, undefined],
  ])('count if they renew a token that is %i minutes old: %s', async (ageMin, excess) => {
    expect(await excessOf(ageMin)).toBe(excess);
  });

  test('do not count if the renewal fails', async () => {
    functions.issuer.always = () => DOWN;

    await failureOf(refresh());

    expect(functions.metrics.counts).toEqual({ TokenRequest: 3, TokenRenewalFailed: 1 });
  });
});

describe('a stored token that needs no renewal', () => {
  test('is kept while it is fresh', async () => {
    const { expiresAtMs } = functions.store();

    const outcome = await refresh();

    const versionId = versionIdOf(`version-of-stored-of-${TENANT_ID}`);
    expect(outcome).toEqual({ arn: arnOf(NAME), versionId, expiresAtMs, refreshed: false });
    expect(functions.issuer.requests).toHaveLength(0);
    expect(functions.writes).toHaveLength(0);
    expect(functions.metrics.counts).toEqual({});
  });

  test('is kept if a different token was refused', async () => {
    functions.store();

    const outcome = await refresh({ rejectedTokenSha256: sha256Hex('an earlier token') });

    expect(outcome.refreshed).toBe(false);
    expect(functions.issuer.requests).toHaveLength(0);
  });

  test('is not renewed twice if two callers saw the same refusal', async () => {
    const { accessToken } = functions.store();
    const rejectedTokenSha256 = sha256Hex(accessToken);

    const first = await refresh({ rejectedTokenSha256 });
    const second = await refresh({ rejectedTokenSha256 });

    expect([first.refreshed, second.refreshed]).toEqual([true, false]);
    expect(functions.issuer.requests).toHaveLength(1);
  });
});

describe('a token is requested and stored', () => {
  test('if none is stored', async () => {
    const outcome = await refresh();

    expect(outcome).toMatchObject({
      arn: arnOf(NAME),
      refreshed: true,
      expiresAtMs: functions.clock.nowMs() + 60 * MINUTE_MS,
    });
    expect(functions.current()).toMatchObject({
      accessToken: 'token-1',
      credentialVersionId: CREDENTIAL_ID,
      writesMs: [functions.clock.nowMs()],
    });
    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
  });

  test('with the credential of its tenant', async () => {
    await refresh({}, { ...KEY, interface: 'webhooks', scope: 'api/webhooks' });

    expect(functions.issuer.requests[0]).toMatchObject({
      tenantId: TENANT_ID,
      tokenType: { interface: 'webhooks', scope: 'api/webhooks' },
      clientId: `id-of-${TENANT_ID}`,
      clientSecret: 'secret-of-credential-1',
      timeoutMs: 5_000,
    });
  });

  test.each<[string, StoredChange, Partial<Requirement>]>([
    ['is due', { lifeLeftMs: 20 * MINUTE_MS - 1 }, {}],
    ['has expired', { lifeLeftMs: -1 }, {}],
    ['was refused', {}, { rejectedTokenSha256: sha256Hex(`stored-of-${TENANT_ID}`) }],
    [
      'is of a retired credential',
      { credentialVersionId: versionIdOf('credential-0') },
      { credentialVersionId: CREDENTIAL_ID },
    ],
  ])('if the stored one %s', async (_, stored, requirement) => {
    functions.store(stored);

    const outcome = await refresh(requirement);

    expect(outcome.refreshed).toBe(true);
    expect(functions.current()).toMatchObject({
      accessToken: 'token-1',
      credentialVersionId: CREDENTIAL_ID,
    });
  });

  test.each([
    ['its lifetime was assumed', { isLifeAssumed: true }, 'life_assumed'],
    ['the clocks are far apart', { isClockSkewed: true }, 'clock_skew'],
    ['both', { isLifeAssumed: true, isClockSkewed: true }, 'life_assumed'],
  ])('with one fault in the metrics if %s', async (_, oddity, code) => {
    functions.issuer.script.push(oddity);

    await refresh();

    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({ [code]: 1 });
  });
});

describe('a token that the platform refused', () => {
  const forced = () => refresh({ rejectedTokenSha256: sha256Hex(functions.current()!.accessToken) });
  const stateNow = () => tokenStateOf('v', functions.current()!).token;
  const refusedNow = () => functions.current()!.refusedTokens?.map(({ sha256 }) => sha256);

  test('is named by the one that replaces it', async () => {
    const { accessToken, expiresAtMs } = functions.store();

    await forced();

    expect(functions.current()).toMatchObject({
      accessToken: 'token-1',
      refusedTokens: [{ sha256: sha256Hex(accessToken), expiresAtMs }],
    });
  });

  test('is named as an operator’s, who had it replaced, and then counts as none that the platform refused', async () => {
    const { accessToken } = functions.store();

    await refresh({ rejectedTokenSha256: sha256Hex(accessToken), byOperator: true });
    expect(refusedNow()).toEqual([sha256Hex(accessToken)]);
    expect(stateNow()).not.toHaveProperty('refusedExpiresAt');

    await forced();
    expect(stateNow()!.refusedExpiresAt).toHaveLength(1);
  });

  test('is named until a day after its expiry, also by later ones, of which each names at most four', async () => {
    functions.store({ lifeLeftMs: 30 * MINUTE_MS });
    for (let times = 0; times < 5; times += 1) await forced();
    const four = ['token-4', 'token-3', 'token-2', 'token-1'].map((token) => sha256Hex(token));
    expect(refusedNow()).toEqual(four);

    functions.clock.advance(45 * MINUTE_MS);
    await refresh();
    expect(refusedNow()).toEqual(four);

    functions.clock.advance(23 * 60 * MINUTE_MS);
    await refresh();
    expect(refusedNow()).toEqual(four);

    functions.clock.advance(2 * 60 * MINUTE_MS);
    await refresh();
    expect(refusedNow()).toBeUndefined();
  });

  test('is not named if it was replaced for another reason', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });

    await refresh({ rejectedTokenSha256: sha256Hex('another') });

    expect(functions.current()?.accessToken).toBe('token-1');
    expect(refusedNow()).toBeUndefined();
  });
});

describe('a platform that returns the stored token', () => {
  test('does not extend its expiry, and nothing is written', async () => {
    const { accessToken, expiresAtMs } = functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    functions.issuer.script.push({ accessToken });

    const outcome = await refresh();

    expect(outcome).toMatchObject({
      refreshed: false,
      expiresAtMs,
      failure: { code: 'bad_platform_answer' },
    });
    expect(functions.writes).toHaveLength(0);
  });

  test('fails a forced renewal', async () => {
    const { accessToken } = functions.store();
    functions.issuer.script.push({ accessToken });

    await expect(refresh({ rejectedTokenSha256: sha256Hex(accessToken) })).rejects.toMatchObject({
      code: 'bad_platform_answer',
    });
    expect(functions.writes).toHaveLength(0);
  });
});

describe('a stored token that has not expired', () => {
  const DUE = { lifeLeftMs: 15 * MINUTE_MS };

  test.each([
    ['platform_unavailable', DOWN],
    ['credential_refused', new TokenError('credential_refused', 'refused')],
    ['bad_platform_answer', new TokenError('bad_platform_answer', 'HTML')],
  ])('serves despite %s', async (code, error) => {
    const { expiresAtMs } = functions.store(DUE);
    functions.issuer.always = () => error;

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, expiresAtMs, failure: { code } });
    expect(functions.metrics.counts.TokenRenewalFailed).toBe(1);
  });

  test('serves if the credential is gone, which counts as a failure because the token will expire', async () => {
    functions.store(DUE);
    functions.unload(TENANT_ID);

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, failure: { code: 'not_loaded' } });
    expect(functions.metrics.counts).toEqual({ TokenRenewalFailed: 1 });
    expect(functions.metrics.faults).toEqual({ not_loaded: 1 });
  });

  test('serves if the credential cannot be read', async () => {
    functions.store(DUE);
    functions.secrets.faults.push({ secret: CREDENTIAL, name: 'AccessDeniedException' });

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, failure: { code: 'store_unavailable' } });
  });

  test.each([
    [15 * MINUTE_MS, true],
    [15 * MINUTE_MS + 1, false],
  ])('serves a caller who needs %d ms: %s', async (minValidityMs, serves) => {
    functions.store(DUE);
    functions.issuer.always = () => new TokenError('bad_platform_answer', 'HTML');

    const outcome = await refresh({ minValidityMs }).catch((error: TokenError) => error.code);

    expect(outcome).toEqual(serves ? expect.objectContaining({ refreshed: false }) : 'bad_platform_answer');
  });

  test('does not serve at the moment of its expiry, even for a caller with no minimum validity', async () => {
    functions.store({ lifeLeftMs: 0 });
    functions.issuer.always = () => new TokenError('bad_platform_answer', 'HTML');

    await expect(refresh({ minValidityMs: 0 })).rejects.toMatchObject({ code: 'bad_platform_answer' });
  });

  test('does not serve a caller who reports it as refused', async () => {
    const { accessToken } = functions.store();
    functions.issuer.always = () => DOWN;

    await expect(refresh({ rejectedTokenSha256: sha256Hex(accessToken) })).rejects.toMatchObject({
      code: 'platform_unavailable',
    });
  });

  test('does not serve if it expires during the requests to the platform', async () => {
    functions.store({ lifeLeftMs: 3_000 });
    functions.issuer.latencyMs = 2_000;
    functions.issuer.always = () => DOWN;

    await expect(refresh({ minValidityMs: 0 })).rejects.toMatchObject({ code: 'platform_unavailable' });
  });
});

describe('nothing is requested', () => {
  test('if no credential is loaded', async () => {
    await expect(refresh({}, keyOf('eu-west-2_New'))).rejects.toMatchObject({ code: 'not_loaded' });
    expect(functions.issuer.requests).toHaveLength(0);
    expect(functions.metrics.counts).toEqual({});
    expect(functions.metrics.faults).toEqual({ not_loaded: 1 });
  });

  test('if the secret does not hold a credential, which is a failure even if no token was ever stored', async () => {
    functions.secrets.put(CREDENTIAL, 'by hand');

    await expect(refresh()).rejects.toMatchObject({
      code: 'not_loaded',
      message: expect.stringContaining(`${CREDENTIAL} holds no client credentials`) as string,
    });
    expect(functions.metrics.counts).toEqual({ TokenRenewalFailed: 1 });
    expect(functions.metrics.faults).toEqual({ credential_malformed: 1 });
  });

  test.each([
    ['GetSecretValue', 'AccessDeniedException'],
    ['GetSecretValue', 'ThrottlingException'],
    ['GetSecretValue', 'InternalServiceError'],
    ['GetSecretValue', 'InvalidRequestException'],
    ['DescribeSecret', 'ResourceNotFoundException'],
  ])('if the token secret cannot be read (%s: %s)', async (operation, name) => {
    functions.secrets.faults.push({ operation, secret: NAME, name });

    await expect(refresh()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(`secretsmanager:${operation} on ${NAME}`) as string,
    });
    expect(functions.issuer.requests).toHaveLength(0);
    expect(functions.writes).toHaveLength(0);
  });
});

describe('a store that cannot be read', () => {
  test('serves the token that this process last read, while that is valid', async () => {
    const { expiresAtMs } = functions.store();
    const seen = await refresh();
    functions.failReads('ThrottlingException', { times: 2 });

    const outcome = await refresh();
    functions.clock.advance(59 * MINUTE_MS + 1);
    const late = await failureOf<TokenError>(refresh());

    expect(outcome).toMatchObject({ ...seen, expiresAtMs, failure: { code: 'store_unavailable' } });
    expect(late.code).toBe('store_unavailable');
    expect(functions.metrics.faults).toEqual({ store_throttled: 2 });
    expect(functions.issuer.requests).toHaveLength(0);
  });

  test.each([`stored-of-${TENANT_ID}`, 'stored-elsewhere'])(
    'serves no token to a caller who reports a refusal: %s may be the one that is stored now',
    async (refused) => {
      functions.store();
      await refresh();
      functions.store({ accessToken: 'stored-elsewhere' });
      functions.failReads('ThrottlingException');

      await expect(refresh({ rejectedTokenSha256: sha256Hex(refused) })).rejects.toMatchObject({
        code: 'store_unavailable',
      });
    },
  );

  test.each(['AccessDeniedException', 'InvalidRequestException', 'ResourceNotFoundException'])(
    'permanently (%s) is a failure, because the caller cannot read the token either',
    async (name) => {
      functions.store();
      await refresh();
      functions.secrets.faults.push({ secret: NAME, name, times: 2 });

      await expect(refresh()).rejects.toMatchObject({ code: 'store_unavailable' });
    },
  );
});

describe('the time for the write', () => {
  test('is reserved even if the platform is slow, so that a token that it grants is stored', async () => {
    functions.issuer.latencyMs = 4_999;
    functions.issuer.script.push(DOWN);
    let leftMs = 0;
    const deadlineMs = functions.clock.monotonicMs() + 10_000;
    functions.secrets.meanwhile = () => (leftMs = deadlineMs - functions.clock.monotonicMs());

    const outcome = await refresh({ deadlineMs });

    expect(outcome.refreshed).toBe(true);
    expect(leftMs).toBeGreaterThanOrEqual(WRITE_RESERVE_MS);
  });

  test.each([
    [WRITE_RESERVE_MS, 0],
    [WRITE_RESERVE_MS + 1, 1],
  ])('of %d ms in all is enough for %d requests', async (leftMs, requests) => {
    await refresh({ deadlineMs: functions.clock.monotonicMs() + leftMs }).catch(() => undefined);

    expect(functions.issuer.requests).toHaveLength(requests);
  });
});

describe('a wall clock that is set', () => {
  test.each([-300_000, 300_000])(
    'by %d ms during the requests neither shortens nor extends the deadline',
    async (setMs) => {
      const startMs = functions.clock.monotonicMs();
      functions.issuer.latencyMs = 60_000;
      functions.issuer.always = () => {
        functions.clock.set(setMs);
        return DOWN;
      };

      await failureOf(refresh());

      expect(functions.clock.monotonicMs() - startMs).toBe(10_000 - WRITE_RESERVE_MS);
      expect(functions.issuer.requests).toHaveLength(2);
    },
  );

  test('back while a write is retried does not extend the deadline', async () => {
    const startMs = functions.clock.monotonicMs();
    functions.failWrites('ThrottlingException', 5);
    functions.secrets.meanwhile = () => functions.clock.set(-300_000);

    await failureOf(refresh({ deadlineMs: startMs + 2_000 }));

    expect(functions.clock.monotonicMs() - startMs).toBeLessThan(2_000);
  });
});

test('an unexpected error is a bug, and is not turned into an answer', async () => {
  functions.store({ lifeLeftMs: 15 * MINUTE_MS });
  functions.issuer.requestToken = () => Promise.reject(new TypeError('a bug'));

  await expect(refresh()).rejects.toThrow(TypeError);
});

describe('the event of a renewal', () => {
  const told: { key: unknown; versionId: string | undefined; accessToken: string | undefined }[] = [];
  const events: ChangeEvents = {
    tokenRenewed: (key, { versionId, token }) =>
      told.push({ key, versionId, accessToken: token?.accessToken }),
    credentialChanged: () => undefined,
    settle: () => Promise.resolve(),
  };
  beforeEach(() => told.splice(0));

  const refreshWithEvents = (change: Partial<Requirement> = {}) => {
    const deadlineMs = functions.clock.monotonicMs() + 10_000;
    return refreshToken({ ...functions, events }, KEY, { minValidityMs: 60_000, deadlineMs, ...change });
  };

  test('is about the token that is current now', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });

    const { versionId } = await refreshWithEvents();

    expect(told).toEqual([{ key: KEY, versionId, accessToken: functions.current()?.accessToken }]);
  });

  test('is not sent for a token that is kept, or was not stored', async () => {
    functions.store();
    await refreshWithEvents();
    functions.store({ lifeLeftMs: 15 * MINUTE_MS, accessToken: 'due' });
    functions.failWrites('AccessDeniedException');
    expect((await refreshWithEvents()).refreshed).toBe(false);

    expect(told).toEqual([]);
  });

  test('is sent if the write succeeded and its response was lost', async () => {
    let isWritten = false;
    functions.secrets.meanwhile = ({ operation, input }) => {
      if (operation !== 'PutSecretValue' || isWritten) return;
      isWritten = true;
      functions.secrets.put(NAME, input.SecretString as string, input.ClientRequestToken as string);
    };

    await refreshWithEvents();

    expect(told).toHaveLength(1);
  });
});
