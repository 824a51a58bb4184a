import { sha256Hex } from '../../../core/secrets/sha256';
import { tokenStateOf } from '../../../core/tokens/stored-token';
import { TokenError } from '../../../core/tokens/token-errors';
import { type Requirement } from '../../../lambdas/token-refresh/requirement';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { failureOf } from '../../support/lambdas/failure-of';
import { KEY, keyOf, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import {
  CREDENTIAL_ID,
  credentialSecretOf,
  DOWN,
  type StoredChange,
  tokenSecretOf,
  TokenFunctions,
  versionIdOf,
} from './support/token-functions';

const NAME = tokenSecretOf(KEY);
const CREDENTIAL = credentialSecretOf(KEY);
/** The time that a renewal reserves for the write. */
const WRITE_RESERVE_MS = 1_500;
const DUE = { lifeLeftMs: 15 * MINUTE_MS };
const BAD_ANSWER = new TokenError('bad_platform_answer', 'HTML');

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

const refresh = (change?: Partial<Requirement>, key = KEY) => functions.refresh(change, key);
/** Reports the stored token as refused. */
const refreshRefused = (change?: Partial<Requirement>) =>
  refresh({ rejectedTokenSha256: sha256Hex(functions.current()!.accessToken), ...change });

test.each([
  [9, 1],
  [10, undefined],
])('a request counts as excess if it renews a token that is %i minutes old: %s', async (ageMin, excess) => {
  functions.store({ issuedAtMs: functions.clock.nowMs() - ageMin * MINUTE_MS });

  await refreshRefused();

  expect(functions.metrics.counts.TokenRequestExcess).toBe(excess);
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

  test('is not renewed twice if two callers saw the same refusal', async () => {
    const rejectedTokenSha256 = sha256Hex(functions.store().accessToken);

    expect((await refresh({ rejectedTokenSha256 })).refreshed).toBe(true);
    expect((await refresh({ rejectedTokenSha256 })).refreshed).toBe(false);

    expect(functions.issuer.requests).toHaveLength(1);
  });
});

describe('a token is requested and stored', () => {
  test('if none is stored, with the credential of its tenant', async () => {
    const outcome = await refresh();

    const expiresAtMs = functions.clock.nowMs() + 60 * MINUTE_MS;
    expect(outcome).toMatchObject({ arn: arnOf(NAME), refreshed: true, expiresAtMs });
    expect(functions.issuer.requests).toMatchObject([
      {
        tenantId: TENANT_ID,
        tokenType: { interface: 'content', scope: 'api/read' },
        clientId: `id-of-${TENANT_ID}`,
        clientSecret: 'secret-of-credential-1',
        timeoutMs: 5_000,
      },
    ]);
    expect(functions.current()).toMatchObject({
      accessToken: 'token-1',
      credentialVersionId: CREDENTIAL_ID,
      writesMs: [functions.clock.nowMs()],
    });
    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
  });

  const credentialVersionId = versionIdOf('credential-0');
  test.each<[string, StoredChange, Partial<Requirement>]>([
    ['is due', { lifeLeftMs: 20 * MINUTE_MS - 1 }, {}],
    ['was refused', {}, { rejectedTokenSha256: sha256Hex(`stored-of-${TENANT_ID}`) }],
    ['is of a retired credential', { credentialVersionId }, { credentialVersionId: CREDENTIAL_ID }],
  ])('if the stored one %s', async (_, stored, requirement) => {
    functions.store(stored);

    expect((await refresh(requirement)).refreshed).toBe(true);
    expect(functions.current()).toMatchObject({
      accessToken: 'token-1',
      credentialVersionId: CREDENTIAL_ID,
    });
  });

  test.each([
    ['its lifetime was assumed', { isLifeAssumed: true }, 'life_assumed'],
    ['the clocks are far apart', { isClockSkewed: true }, 'clock_skew'],
  ])('with a fault in the metrics if %s', async (_, oddity, code) => {
    functions.issuer.script.push(oddity);

    await refresh();

    expect(functions.metrics.counts).toEqual({ TokenRequest: 1, TokenRenewed: 1 });
    expect(functions.metrics.faults).toEqual({ [code]: 1 });
  });
});

describe('a token that the platform refused', () => {
  const stateNow = () => tokenStateOf('v', functions.current()!).token;
  const refusedNow = () => functions.current()!.refusedTokens?.map(({ sha256 }) => sha256);

  test('is named by the one that replaces it, and as an operator’s if one had it replaced', async () => {
    const { accessToken, expiresAtMs } = functions.store();

    await refreshRefused({ byOperator: true });
    expect(functions.current()!.refusedTokens).toMatchObject([
      { sha256: sha256Hex(accessToken), expiresAtMs },
    ]);
    expect(stateNow()).not.toHaveProperty('refusedExpiresAt');

    await refreshRefused();
    expect(stateNow()!.refusedExpiresAt).toHaveLength(1);
  });

  test('is named until a day after its expiry, also by later ones, of which each names at most four', async () => {
    functions.store({ lifeLeftMs: 30 * MINUTE_MS });
    for (let times = 0; times < 5; times += 1) await refreshRefused();
    const four = ['token-4', 'token-3', 'token-2', 'token-1'].map((token) => sha256Hex(token));
    expect(refusedNow()).toEqual(four);

    functions.clock.advance(24 * 60 * MINUTE_MS);
    await refresh();
    expect(refusedNow()).toEqual(four);

    functions.clock.advance(2 * 60 * MINUTE_MS);
    await refresh();
    expect(refusedNow()).toBeUndefined();
  });

  test('is not named if it was replaced for another reason', async () => {
    functions.store(DUE);

    await refresh({ rejectedTokenSha256: sha256Hex('another') });

    expect(functions.current()?.accessToken).toBe('token-1');
    expect(refusedNow()).toBeUndefined();
  });
});

describe('a platform that returns the stored token', () => {
  test('does not extend its expiry, and nothing is written', async () => {
    const { accessToken, expiresAtMs } = functions.store(DUE);
    functions.issuer.script.push({ accessToken });

    const failure = { code: 'bad_platform_answer' };
    expect(await refresh()).toMatchObject({ refreshed: false, expiresAtMs, failure });
    expect(functions.writes).toHaveLength(0);
  });

  test('fails a forced renewal', async () => {
    const { accessToken } = functions.store();
    functions.issuer.script.push({ accessToken });

    await expect(refreshRefused()).rejects.toMatchObject({ code: 'bad_platform_answer' });
    expect(functions.writes).toHaveLength(0);
  });
});

describe('a stored token that has not expired', () => {
  test.each<[string, () => unknown, string]>([
    ['is gone', () => functions.unload(TENANT_ID), 'not_loaded'],
    [
      'cannot be read',
      () => functions.secrets.faults.push({ secret: CREDENTIAL, name: 'AccessDeniedException' }),
      'store_unavailable',
    ],
  ])('serves if the credential %s, which counts as a failure', async (_, lose, code) => {
    functions.store(DUE);
    lose();

    expect(await refresh()).toMatchObject({ refreshed: false, failure: { code } });
    expect(functions.metrics.counts).toMatchObject({ TokenRenewalFailed: 1 });
  });

  test.each([
    [15 * MINUTE_MS, true],
    [15 * MINUTE_MS + 1, false],
  ])('serves a caller who needs %d ms: %s', async (minValidityMs, serves) => {
    functions.store(DUE);
    functions.issuer.always = () => BAD_ANSWER;

    const outcome = await refresh({ minValidityMs }).catch((error: TokenError) => error.code);

    expect(outcome).toEqual(serves ? expect.objectContaining({ refreshed: false }) : 'bad_platform_answer');
  });

  test('does not serve at the moment of its expiry, even for a caller with no minimum validity', async () => {
    functions.store({ lifeLeftMs: 0 });
    functions.issuer.always = () => BAD_ANSWER;

    await expect(refresh({ minValidityMs: 0 })).rejects.toMatchObject({ code: 'bad_platform_answer' });
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

  test('if the token secret cannot be read', async () => {
    functions.failReads('AccessDeniedException');

    await expect(refresh()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: expect.stringContaining(`secretsmanager:GetSecretValue on ${NAME}`) as string,
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

  test('serves no token to a caller who reports a refusal: that may be the one that is stored now', async () => {
    functions.store();
    await refresh();
    functions.store({ accessToken: 'stored-elsewhere' });
    functions.failReads('ThrottlingException');

    await expect(refreshRefused()).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test('permanently is a failure, because the caller cannot read the token either', async () => {
    functions.store();
    await refresh();
    functions.failReads('AccessDeniedException');

    await expect(refresh()).rejects.toMatchObject({ code: 'store_unavailable' });
  });
});

describe('the time for the write', () => {
  test('is reserved even if the platform is slow, so that a token that it grants is stored', async () => {
    functions.issuer.latencyMs = 4_999;
    functions.issuer.script.push(DOWN);
    let leftMs = 0;
    const deadlineMs = functions.clock.monotonicMs() + 10_000;
    functions.secrets.meanwhile = () => (leftMs = deadlineMs - functions.clock.monotonicMs());

    expect((await refresh({ deadlineMs })).refreshed).toBe(true);
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

describe('a wall clock that is set back', () => {
  test('during the requests does not extend the deadline', async () => {
    const startMs = functions.clock.monotonicMs();
    functions.issuer.latencyMs = 60_000;
    functions.issuer.always = () => {
      functions.clock.set(-300_000);
      return DOWN;
    };

    await failureOf(refresh());

    expect(functions.clock.monotonicMs() - startMs).toBe(10_000 - WRITE_RESERVE_MS);
    expect(functions.issuer.requests).toHaveLength(2);
  });

  test('while a write is retried does not extend the deadline', async () => {
    const startMs = functions.clock.monotonicMs();
    functions.failWrites('ThrottlingException', 5);
    functions.secrets.meanwhile = () => functions.clock.set(-300_000);

    await failureOf(refresh({ deadlineMs: startMs + 2_000 }));

    expect(functions.clock.monotonicMs() - startMs).toBeLessThan(2_000);
  });
});

describe('the event of a renewal', () => {
  const tokenRenewed = jest.fn();
  beforeEach(() => {
    tokenRenewed.mockClear();
    const settle = () => Promise.resolve();
    functions.events = { tokenRenewed, credentialChanged: () => undefined, settle };
  });

  test('is about the token that is current now', async () => {
    functions.store(DUE);

    const { versionId } = await refresh();

    const entry: unknown = expect.objectContaining({ versionId, token: functions.current() });
    expect(tokenRenewed.mock.calls).toEqual([[KEY, entry]]);
  });

  test('is not sent for a token that is kept, or was not stored', async () => {
    functions.store();
    await refresh();
    functions.store({ ...DUE, accessToken: 'due' });
    functions.failWrites('AccessDeniedException');
    expect((await refresh()).refreshed).toBe(false);

    expect(tokenRenewed).not.toHaveBeenCalled();
  });
});
