import { nextVersionId } from '../../../core/secrets/compare-and-set';
import { sha256Hex } from '../../../core/secrets/sha256';
import { serializeStoredToken } from '../../../core/tokens/stored-token';
import { type Requirement } from '../../../lambdas/token-refresh/requirement';
import { moveLabel } from 'cdk-on-loopback/testing';
import { arnOf } from '../../support/aws/simulated-secrets-manager';
import { expectRed } from '../../support/holes/expect-red';
import { KEY, MINUTE_MS, TENANT_ID } from '../../support/lambdas/token-functions';
import { NOON_MS } from '../../support/lambdas/virtual-clock';
import { type StoredChange, TokenFunctions, tokenSecretOf, versionIdOf } from './support/token-functions';

const NAME = tokenSecretOf(KEY);
const DUE: StoredChange = { lifeLeftMs: 15 * MINUTE_MS };

let functions: TokenFunctions;
beforeEach(() => (functions = new TokenFunctions()));

const refresh = (change?: Partial<Requirement>) => functions.refresh(change);

/** Lets another process renew the token just before our writes, after both have read the same version. */
function renewElsewhere(change: StoredChange = {}, times = 1): void {
  const { secrets } = functions;
  let renewed = 0;
  secrets.meanwhile = ({ input }) => {
    if ((renewed += 1) > times) return;
    const theirs = functions.tokenWith({ accessToken: 'theirs', ...change });
    secrets.put(NAME, serializeStoredToken(theirs, KEY), String(input.ClientRequestToken));
  };
}

/** The expected version id of a write after that version. */
const idAfter = (versionId: string | undefined) => nextVersionId({ secretArn: arnOf(NAME), versionId });
const writtenIds = () => functions.writes.map(({ ClientRequestToken }) => ClientRequestToken);
const currentId = () => functions.secrets.versionWith(NAME, 'AWSCURRENT')!.versionId;
const currentToken = () => functions.current()?.accessToken;

describe('of two writers that read the same version', () => {
  test('the second uses the token of the first', async () => {
    renewElsewhere();

    const outcome = await refresh();

    expect(outcome.refreshed).toBe(false);
    expect(currentToken()).toBe('theirs');
    expect(functions.metrics.counts.TokenRenewed).toBeUndefined();
    expect(functions.metrics.faults).toEqual({ write_conflict: 1 });
  });

  test.each<[string, StoredChange, Partial<Requirement>]>([
    ['is already due', { lifeLeftMs: 10 * MINUTE_MS }, {}],
    ['has expired', { lifeLeftMs: -1 }, {}],
    ['was refused', {}, { rejectedTokenSha256: sha256Hex('theirs') }],
  ])('the second overwrites a token that %s', async (_, theirs, requirement) => {
    renewElsewhere(theirs);

    const outcome = await refresh(requirement);

    expect(outcome.refreshed).toBe(true);
    expect(currentToken()).toBe('token-1');
    expect(functions.issuer.requests).toHaveLength(1);
  });

  test.each<[string, number, StoredChange]>([
    ['was issued later', 15, { issuedAtMs: Date.UTC(2100, 0), lifeLeftMs: 12 * MINUTE_MS }],
    ['expires later', 15, { lifeLeftMs: 18 * MINUTE_MS }],
    ['expires later, and does not serve', 0.01, { lifeLeftMs: 40_000 }],
  ])('the second keeps a token of a short life that %s', async (_, ourLifeMin, theirs) => {
    functions.issuer.lifeMs = ourLifeMin * MINUTE_MS;
    renewElsewhere(theirs);

    expect((await refresh()).refreshed).toBe(false);
    expect(currentToken()).toBe('theirs');
  });

  test('both have renewed it if the platform gave them the same token', async () => {
    renewElsewhere({ accessToken: 'token-1' });

    expect(await refresh()).toMatchObject({ refreshed: true, versionId: currentId() });
    expect(functions.writes).toHaveLength(1);
  });
});

describe('a new token that expires before the stored one', () => {
  test('does not replace it', async () => {
    const { accessToken, expiresAtMs } = functions.store({ lifeLeftMs: 19 * MINUTE_MS });
    functions.issuer.lifeMs = 1_000;

    expect(await refresh()).toMatchObject({ refreshed: false, expiresAtMs });
    expect(currentToken()).toBe(accessToken);
    expect(functions.metrics.counts.TokenRequestExcess).toBe(1);
  });

  test('replaces it if that is of another credential', async () => {
    functions.store({ lifeLeftMs: 19 * MINUTE_MS, credentialVersionId: 'credential-0' });
    functions.issuer.lifeMs = 5 * MINUTE_MS;

    await refresh();

    expect(currentToken()).toBe('token-1');
  });
});

describe('a conflict', () => {
  test('with a version whose labels are not visible yet leads to that version', async () => {
    renewElsewhere();
    const { readNext } = functions.tokens;
    functions.tokens.readNext = async (...args) => {
      const next = await readNext.apply(functions.tokens, args);
      return next && { ...next, labels: [] };
    };

    expect(await refresh()).toMatchObject({ refreshed: false, versionId: currentId() });
    expect(functions.writes).toHaveLength(1);
  });

  test('with a version that is not current, as after a move by hand, leads to the version after that', async () => {
    const old = functions.store(DUE);
    const oldVersionId = versionIdOf(`version-of-${old.accessToken}`);
    await refresh();
    const secret = functions.secrets.secret(NAME);
    moveLabel(secret, 'AWSCURRENT', secret.versions.get(oldVersionId)!);

    expect((await refresh()).refreshed).toBe(true);
    expect(currentToken()).toBe('token-2');
    const nextId = idAfter(oldVersionId);
    expect(writtenIds()).toEqual([nextId, nextId, idAfter(nextId)]);
  });

  test.each<[string, () => void, string]>([
    [
      'without a version that is visible',
      () => functions.failWrites('ResourceExistsException', Infinity),
      'what another writer has written is not visible yet',
    ],
    [
      'with another token that does not serve',
      () => renewElsewhere({ lifeLeftMs: -1 }, Infinity),
      'other writers kept changing the token',
    ],
  ])('%s is repeated, five times in all', async (_, conflict, message) => {
    conflict();

    await expect(refresh()).rejects.toMatchObject({ code: 'store_unavailable', message });
    expect(functions.writes).toHaveLength(5);
  });
});

test('a write whose response was lost is repeated unchanged, which has no effect', async () => {
  functions.secrets.faults.push({ operation: 'PutSecretValue', name: 'TimeoutError', isAfterEffect: true });

  expect(await refresh()).toMatchObject({ refreshed: true });

  expect(functions.writes).toHaveLength(2);
  expect(functions.writes[1]).toEqual(functions.writes[0]);
  expect(functions.metrics.faults).toEqual({ store_unavailable: 1 });
  expect(functions.metrics.counts).not.toHaveProperty('TokenWriteRefused');
  expect(currentToken()).toBe('token-1');
});

describe('a write that fails', () => {
  test('because it is throttled is retried before the deadline, with the same version id and value', async () => {
    functions.failWrites('ThrottlingException', 2);

    expect((await refresh()).refreshed).toBe(true);

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
    functions.store(DUE);
    renewElsewhere({ lifeLeftMs: 16 * MINUTE_MS });
    functions.failWrites('ResourceExistsException');
    functions.failWrites('ThrottlingException', 9);

    const outcome = await refresh();

    expect(currentToken()).toBe('theirs');
    const { expiresAtMs } = functions.current()!;
    expect(outcome).toMatchObject({ refreshed: false, versionId: currentId(), expiresAtMs });
  });

  test.each([
    ['five times, if it is throttled', 'ThrottlingException', 'throttled', 5],
    ['once, if it fails permanently', 'AccessDeniedException', 'access_denied', 1],
  ])('is tried %s, and leaves the stored token serving', async (_, name, code, writes) => {
    const { accessToken, expiresAtMs } = functions.store(DUE);
    functions.failWrites(name, 9);

    const failure = { code: 'store_unavailable', fault: `store_${code}`, cause: { code } };
    expect(await refresh()).toMatchObject({ refreshed: false, expiresAtMs, failure });
    expect(currentToken()).toBe(accessToken);
    expect(functions.writes).toHaveLength(writes);
    expect(functions.metrics.counts.TokenWriteRefused).toBe(writes);
  });
});

test('a store that cannot be read after a conflict does not count as a refused write', async () => {
  renewElsewhere();
  const { meanwhile } = functions.secrets;
  functions.secrets.meanwhile = (command) => {
    functions.secrets.meanwhile = meanwhile;
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
  const REJECTED = { rejectedTokenSha256: sha256Hex(`stored-of-${TENANT_ID}`) };

  test.each<[string, StoredChange, Partial<Requirement>]>([
    ['was refused', {}, REJECTED],
    ['lives too briefly for a caller', { ...DUE, issuedAtMs: NOON_MS }, { minValidityMs: 16 * MINUTE_MS }],
  ])(
    'refuses to replace a token that %s after 50 writes, before a request',
    async (_, stored, requirement) => {
      functions.store({ writesMs: writes(50), ...stored });

      await expect(refresh(requirement)).rejects.toMatchObject({
        code: 'write_budget_spent',
        retryAfterMs: (24 * 60 - 50) * MINUTE_MS,
      });
      expect(functions.issuer.requests).toHaveLength(0);
      expect(functions.metrics.counts).toEqual({ TokenRenewalFailed: 1, TokenWriteRefused: 1 });
      expect(functions.metrics.faults).toEqual({ write_budget_spent: 1 });
    },
  );

  test.each([
    ['is due', 15 * MINUTE_MS, {}],
    ['is due and lives too briefly for a caller', 30_000, {}],
    ['has expired and was refused', -1, REJECTED],
  ])('does not refuse the renewal of a token that %s after 50 writes', async (_, lifeLeftMs, requirement) => {
    functions.store({ writesMs: writes(50), lifeLeftMs });

    expect((await refresh(requirement)).refreshed).toBe(true);
    expect(functions.current()?.writesMs).toHaveLength(51);
  });

  test('refuses every renewal after 96 writes, and an unexpired token serves', async () => {
    functions.store({ ...DUE, writesMs: writes(96) });

    const failure = { code: 'write_budget_spent' };
    expect(await refresh()).toMatchObject({ refreshed: false, failure });
    expect(functions.issuer.requests).toHaveLength(0);
  });

  describe('that another writer spent in between', () => {
    const spend = (theirs: StoredChange) => {
      functions.store({ ...DUE, writesMs: writes(95) });
      renewElsewhere({ ...theirs, writesMs: [...writes(95), functions.clock.nowMs()] });
    };

    test('ends the renewal with that writer’s token, if it serves', async () => {
      spend({ lifeLeftMs: 10 * MINUTE_MS });

      const outcome = await refresh();

      expect(currentToken()).toBe('theirs');
      const failure = { code: 'write_budget_spent' };
      expect(outcome).toMatchObject({ refreshed: false, versionId: currentId(), failure });
      expect(functions.metrics.counts).toMatchObject({ TokenRenewalFailed: 1, TokenWriteRefused: 1 });
    });

    test('fails the renewal if that writer’s token does not serve', async () => {
      spend({ lifeLeftMs: -1 });

      await expect(refresh()).rejects.toMatchObject({
        code: 'write_budget_spent',
        retryAfterMs: (24 * 60 - 95) * MINUTE_MS,
      });
      expect(currentToken()).toBe('theirs');
    });
  });

  describe('T17: forced renewals', () => {
    /** @param forget makes the secret lose the times of its writes */
    async function expect50Of1000(forget?: () => void) {
      functions.store();

      for (let call = 0; call < 1_000; call += 1) {
        // Whichever token is stored is reported as refused.
        await refresh({ rejectedTokenSha256: sha256Hex(currentToken()!) }).catch(() => undefined);
        forget?.();
        functions.clock.advance(3_000);
      }

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
  });
});
