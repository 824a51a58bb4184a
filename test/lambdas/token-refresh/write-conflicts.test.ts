import { nextVersionId } from '../../../core/secrets/compare-and-set';
import { sha256Hex } from '../../../core/secrets/sha256';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { type Requirement } from '../../../lambdas/token-refresh/requirement';
import { refreshToken } from '../../../lambdas/token-refresh/refresh-token';
import { moveLabel } from 'cdk-on-loopback/testing';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { expectRed } from '../../support/holes/expect-red';
import { KEY, MINUTE_MS } from '../../support/lambdas/token-functions';
import { type StoredChange, TokenFunctions, tokenSecretOf, versionIdOf } from './support/token-functions';

const NAME = tokenSecretOf(KEY);
const DAY_MS = 24 * 60 * MINUTE_MS;

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

function refresh(change: Partial<Requirement> = {}) {
  const deadlineMs = functions.clock.monotonicMs() + 10_000;
  return refreshToken(functions, KEY, { minValidityMs: 60_000, deadlineMs, ...change });
}

/** Lets another process renew the token just before our write, after both have read the same version. */
function renewElsewhere(change: StoredChange = {}): void {
  const { secrets } = functions;
  secrets.meanwhile = ({ input }) => {
    secrets.meanwhile = () => undefined;
    const theirs = functions.tokenWith({ accessToken: 'theirs', ...change });
    secrets.put(NAME, serializeStoredToken(theirs, KEY), String(input.ClientRequestToken));
  };
}

/** The expected version id of a write after that version. */
const idAfter = (versionId: string | undefined) => nextVersionId({ secretArn: arnOf(NAME), versionId });

const writtenIds = () => functions.writes.map(({ ClientRequestToken }) => ClientRequestToken);
const currentId = () => functions.secrets.versionWith(NAME, 'AWSCURRENT')!.versionId;

describe('of two writers that read the same version', () => {
  test('the second uses the token of the first', async () => {
    renewElsewhere();

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(false);
    expect(functions.current()?.accessToken).toBe('theirs');
    expect(functions.metrics.counts.TokenRenewed).toBeUndefined();
    expect(functions.metrics.faults).toEqual({ write_conflict: 1 });
  });

  test.each<[string, StoredChange]>([
    ['is already due', { lifeLeftMs: 10 * MINUTE_MS }],
    ['has expired', { lifeLeftMs: -1 }],
  ])('the second overwrites a token that %s', async (_, theirs) => {
    renewElsewhere(theirs);

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(true);
    expect(functions.current()?.accessToken).toBe('token-1');
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test.each<[string, number, StoredChange]>([
    ['was issued later', 15, { issuedAtMs: Date.UTC(2100, 0), lifeLeftMs: 12 * MINUTE_MS }],
    ['expires later', 15, { lifeLeftMs: 18 * MINUTE_MS }],
    ['expires later, and does not serve', 0.01, { lifeLeftMs: 40_000 }],
  ])('the second keeps a token of a short life that %s', async (_, ourLifeMin, theirs) => {
    functions.issuer.lifeMs = ourLifeMin * MINUTE_MS;
    renewElsewhere(theirs);

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(false);
    expect(functions.current()?.accessToken).toBe('theirs');
  });

  test('the second overwrites a token that was refused', async () => {
    renewElsewhere();

    const outcome = await refresh({ rejectedTokenSha256: sha256Hex('theirs') });

    expect(outcome.refreshed).toBe(true);
    expect(functions.current()?.accessToken).toBe('token-1');
  });

  test('both have renewed it if the platform gave them the same token', async () => {
    renewElsewhere({ accessToken: 'token-1' });

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: true, versionId: currentId() });
    expect(functions.writes).toHaveLength(1);
  });

  test('all but one lose, and no writer overwrites a newer token', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refresh()));

    expect(outcomes.filter(({ refreshed }) => refreshed)).toHaveLength(1);
    expect(new Set(outcomes.map(({ versionId }) => versionId)).size).toBe(1);
    expect(functions.metrics.counts.TokenRenewed).toBe(1);
    expect(functions.metrics.faults).toEqual({ write_conflict: 19 });
  });
});

test('a new token that expires before the stored one does not replace it', async () => {
  const { accessToken, expiresAtMs } = functions.store({ lifeLeftMs: 19 * MINUTE_MS });
  functions.issuer.lifeMs = 1_000;

  const outcome = await refresh();

  expect(outcome).toMatchObject({ refreshed: false, expiresAtMs });
  expect(functions.current()?.accessToken).toBe(accessToken);
  expect(functions.metrics.counts.TokenRequestExcess).toBe(1);
});

test('a new token that expires before the stored one replaces it if that is of another credential', async () => {
  functions.store({ lifeLeftMs: 19 * MINUTE_MS, credentialVersionId: 'credential-0' });
  functions.issuer.lifeMs = 5 * MINUTE_MS;

  await refresh();

  expect(functions.current()?.accessToken).toBe('token-1');
});

describe('a conflict', () => {
  test('leads to the version of the other writer, although a read still shows the one before', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    const { read } = functions.tokens;
    const before = await functions.tokens.read(KEY);
    renewElsewhere();
    functions.tokens.read = () => Promise.resolve(before);

    const outcome = await refresh();
    functions.tokens.read = read;

    expect(outcome).toMatchObject({ refreshed: false, versionId: currentId() });
    expect(functions.current()?.accessToken).toBe('theirs');
  });

  test('with a version whose labels are not visible yet leads to that version', async () => {
    renewElsewhere();
    const { readNext } = functions.tokens;
    functions.tokens.readNext = async (...args) => {
      const next = await readNext.apply(functions.tokens, args);
      return next && { ...next, labels: [] };
    };

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, versionId: currentId() });
    expect(functions.writes).toHaveLength(1);
  });

  test('with a version that is not current, as after a move by hand, leads to the version after that', async () => {
    const old = functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    const oldVersionId = versionIdOf(`version-of-${old.accessToken}`);
    await refresh();
    const secret = functions.secrets.secret(NAME);
    moveLabel(secret, 'AWSCURRENT', secret.versions.get(oldVersionId)!);

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(true);
    expect(functions.current()?.accessToken).toBe('token-2');
    expect(writtenIds()).toEqual([
      ...[idAfter(oldVersionId), idAfter(oldVersionId)],
      idAfter(idAfter(oldVersionId)),
    ]);
  });

  test('without a version that is visible is repeated, five times in all', async () => {
    functions.failWrites('ResourceExistsException', Infinity);

    await expect(refresh()).rejects.toMatchObject({
      code: 'store_unavailable',
      message: 'what another writer has written is not visible yet',
      fault: 'store_unavailable',
    });
    expect(new Set(writtenIds())).toEqual(new Set([idAfter(undefined)]));
    expect(functions.writes).toHaveLength(5);
  });
});

describe('a write whose response was lost', () => {
  test('is repeated unchanged, which has no effect', async () => {
    const lost = { operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true };
    functions.secrets.faults.push(lost);

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: true });
    expect(functions.writes).toHaveLength(2);
    expect(functions.writes[1]).toEqual(functions.writes[0]);
    expect(functions.metrics.faults).toEqual({ store_unavailable: 1 });
    expect(functions.metrics.counts).not.toHaveProperty('TokenWriteRefused');
    expect(functions.current()?.accessToken).toBe('token-1');
  });
});

describe('a write that is throttled', () => {
  test('is retried before the deadline, with the same version id and value', async () => {
    functions.failWrites('ThrottlingException', 2);

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(true);
    const [first, ...more] = functions.writes;
    expect(more).toEqual([first, first]);
    expect(functions.metrics.faults).toEqual({ store_throttled: 1 });
    expect(functions.metrics.counts.TokenWriteRefused).toBe(2);
    expect(functions.issuer.requests).toHaveLength(1);
    expect(functions.clock.sleepsMs).toEqual([0.999 * 500, 0.999 * 1_000]);
  });

  test('is not retried if the wait would end after the deadline', async () => {
    functions.failWrites('ThrottlingException', 9);
    const deadlineMs = functions.clock.monotonicMs() + 1_600;

    await expect(refresh({ deadlineMs })).rejects.toMatchObject({ code: 'store_unavailable' });

    expect(functions.writes).toHaveLength(3);
    expect(functions.clock.monotonicMs()).toBeLessThan(deadlineMs);
  });

  test('after a conflict leaves the other writer’s token, which the answer names', async () => {
    functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    renewElsewhere({ lifeLeftMs: 16 * MINUTE_MS });
    functions.failWrites('ResourceExistsException');
    functions.failWrites('ThrottlingException', 9);

    const outcome = await refresh();

    const { accessToken, expiresAtMs } = functions.current()!;
    expect(accessToken).toBe('theirs');
    expect(outcome).toMatchObject({ refreshed: false, versionId: currentId(), expiresAtMs });
  });

  test('keeps a stored token that has not expired, which serves the caller', async () => {
    const { accessToken, expiresAtMs } = functions.store({ lifeLeftMs: 15 * MINUTE_MS });
    functions.failWrites('ThrottlingException', 9);

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, expiresAtMs, failure: { code: 'store_unavailable' } });
    expect(functions.current()?.accessToken).toBe(accessToken);
    expect(functions.writes).toHaveLength(5);
  });

  test.each([
    ['LimitExceededException', 'limit_exceeded'],
    ['AccessDeniedException', 'access_denied'],
    ['InvalidRequestException', 'scheduled_for_deletion'],
    ['ResourceNotFoundException', 'not_found'],
  ])(
    'unlike one that fails permanently (%s), which is tried once and keeps the stored token',
    async (name, code) => {
      functions.store({ lifeLeftMs: 15 * MINUTE_MS });
      functions.failWrites(name);

      const outcome = await refresh();

      expect(outcome).toMatchObject({ refreshed: false, failure: { code: 'store_unavailable' } });
      expect(functions.writes).toHaveLength(1);
      expect(functions.clock.sleepsMs).toEqual([]);
      expect(functions.metrics.faults).toEqual({ [`store_${code}`]: 1 });
      expect(functions.metrics.counts.TokenWriteRefused).toBe(1);
    },
  );
});

test('a store that cannot be read after a conflict does not count as a refused write', async () => {
  renewElsewhere();
  const { meanwhile } = functions.secrets;
  functions.secrets.meanwhile = (command) => {
    meanwhile(command);
    functions.failReads('ThrottlingException');
  };

  await refresh();

  expect(functions.tokenReads).toHaveLength(3);
  expect(functions.metrics.counts).not.toHaveProperty('TokenWriteRefused');
});

describe('the write budget', () => {
  /** A number of writes in the last day, a minute apart. */
  const writes = (count: number) =>
    Array.from({ length: count }, (_, index) => functions.clock.nowMs() - (count - index) * MINUTE_MS);

  test('refuses a forced renewal after 50 writes, before anything is requested', async () => {
    const { accessToken } = functions.store({ writesMs: writes(50) });

    const forced = refresh({ rejectedTokenSha256: sha256Hex(accessToken) });

    await expect(forced).rejects.toMatchObject({
      code: 'write_budget_spent',
      retryAfterMs: (24 * 60 - 50) * MINUTE_MS,
    });
    expect(functions.issuer.requests).toHaveLength(0);
    expect(functions.metrics.counts).toEqual({ TokenRenewalFailed: 1, TokenWriteRefused: 1 });
    expect(functions.metrics.faults).toEqual({ write_budget_spent: 1 });
  });

  test.each([
    ['is due', 15 * MINUTE_MS],
    ['has expired', -1],
  ])('does not refuse the renewal of a token that %s after 50 writes', async (_, lifeLeftMs) => {
    functions.store({ writesMs: writes(50), lifeLeftMs });

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(true);
    expect(functions.current()?.writesMs).toHaveLength(51);
  });

  test('does not count the renewal of an expired token as forced, even if it was also refused', async () => {
    const { accessToken } = functions.store({ writesMs: writes(50), lifeLeftMs: -1 });

    const outcome = await refresh({ rejectedTokenSha256: sha256Hex(accessToken) });

    expect(outcome.refreshed).toBe(true);
  });

  test('refuses every renewal after 96 writes, and an unexpired token serves', async () => {
    functions.store({ writesMs: writes(96), lifeLeftMs: 15 * MINUTE_MS });

    const outcome = await refresh();

    expect(outcome).toMatchObject({ refreshed: false, failure: { code: 'write_budget_spent' } });
    expect(functions.issuer.requests).toHaveLength(0);
  });

  describe('that another writer spent in between', () => {
    const spend = (theirs: StoredChange) => {
      functions.store({ writesMs: writes(95), lifeLeftMs: 15 * MINUTE_MS });
      renewElsewhere({ ...theirs, writesMs: [...writes(95), functions.clock.nowMs()] });
    };

    test('ends the renewal with that writer’s token, if it serves', async () => {
      spend({ lifeLeftMs: 10 * MINUTE_MS });

      const outcome = await refresh();

      const { accessToken, expiresAtMs } = functions.current()!;
      expect(accessToken).toBe('theirs');
      expect(outcome).toMatchObject({
        refreshed: false,
        versionId: currentId(),
        expiresAtMs,
        failure: { code: 'write_budget_spent' },
      });
      expect(functions.metrics.counts).toMatchObject({ TokenRenewalFailed: 1, TokenWriteRefused: 1 });
      expect(functions.metrics.faults).toEqual({ write_budget_spent: 1 });
    });

    test('fails the renewal if that writer’s token does not serve', async () => {
      spend({ lifeLeftMs: -1 });

      await expect(refresh()).rejects.toMatchObject({
        code: 'write_budget_spent',
        retryAfterMs: (24 * 60 - 95) * MINUTE_MS,
      });
      expect(functions.current()).toMatchObject({ accessToken: 'theirs' });
    });

    test('prevents a 97th write, however many writers there are', async () => {
      functions.store({ writesMs: writes(95), lifeLeftMs: 5 * MINUTE_MS });
      functions.issuer.always = () => ({ expiresAtMs: functions.clock.nowMs() + 10 * MINUTE_MS });

      const outcomes = await Promise.all(Array.from({ length: 5 }, () => refresh()));

      expect(outcomes.filter(({ refreshed }) => refreshed)).toHaveLength(1);
      expect(functions.current()?.writesMs).toHaveLength(96);
    });
  });

  describe('T17: forced renewals', () => {
    /** @param forget makes the secret lose the times of its writes */
    async function expect50Of1000(forget?: () => void) {
      functions.store();

      await force(1_000, 3_000, forget);

      expect(functions.issuer.requests).toHaveLength(50);
      expect(functions.metrics.faults).toEqual({ write_budget_spent: 950 });
    }

    test('stop at 50 requests, of 1,000 in 50 minutes', () => expect50Of1000());

    test('turns red when a secret does not keep the times of its writes', async () => {
      const forget = () => {
        const version = functions.secrets.versionWith(NAME, 'AWSCURRENT')!;
        version.secretString = serializeStoredToken({ ...functions.current()!, writesMs: [] }, KEY);
      };

      await expectRed(() => expect50Of1000(forget));
    });

    test('stop at 50 requests in any 24 hours, of 1,000 in two days', async () => {
      functions.issuer.always = () => ({ expiresAtMs: functions.clock.nowMs() + 50 * DAY_MS });
      functions.store({ lifeLeftMs: 50 * DAY_MS });

      await force(1_000, (2 * DAY_MS) / 1_000);

      const timesMs = functions.issuer.requests.map(({ atMs }) => atMs);
      const inADay = timesMs.map(
        (endMs) => timesMs.filter((ms) => ms <= endMs && ms > endMs - DAY_MS).length,
      );
      expect(Math.max(...inADay)).toBe(50);
    });

    /** Reports whichever token is stored as refused. */
    async function force(calls: number, everyMs: number, afterEach?: () => void): Promise<void> {
      for (let call = 0; call < calls; call += 1) {
        const rejectedTokenSha256 = sha256Hex(functions.current()!.accessToken);
        await refresh({ rejectedTokenSha256 }).catch(() => undefined);
        afterEach?.();
        functions.clock.advance(everyMs);
      }
    }
  });
});
