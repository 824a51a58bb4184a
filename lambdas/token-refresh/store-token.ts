import { type TokenFault } from '../../core/alarms/metrics';
import { type TokenKey } from '../../core/tokens/token-key';
import { faultOf, StoreError } from '../../core/secrets/store-error';
import { refusedTokensAfter, type StoredToken, storedTokenOf } from '../../core/tokens/stored-token';
import { TokenError } from '../../core/tokens/token-errors';
import { isDue } from '../../core/tokens/token-lifetime';
import { nextWriteAllowedAtMs } from '../../core/secrets/write-budget';
import {
  type Clock,
  type Metrics,
  type NextEntry,
  type Random,
  type TokenEntry,
  type TokenStore,
} from '../shared/ports';
import { type MintedToken } from './mint-token';
import { isRejected, type Requirement, serves } from './requirement';

/** Attempts to write. After that, the next sweep tries again. */
const WRITE_ROUNDS = 5;
const WRITE_BACKOFF_BASE_MS = 250;
const NOT_VISIBLE = 'what another writer has written is not visible yet';

export interface StoreTokenPorts {
  tokens: TokenStore;
  clock: Clock;
  random: Random;
  metrics: Metrics;
}

/**
 * Replaces the stored token with a new one, unless the stored one expires later. If another writer was faster and its token is
 * usable, keeps that one. Retries a throttled write until the deadline.
 *
 * Secrets Manager may return old values, so a conflict on writing counts more than a read: it proves that another writer has
 * written the version with the next id.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/troubleshoot.html (eventual consistency)
 * @param keep called with the entry of another writer, if that is current
 * @returns the entry stored in the end, whether it is the new token, and a fault that the write recovered from
 * @throws {StoreError | TokenError} `store_unavailable`, or `write_budget_spent` if other writers used it up
 */
export async function storeToken(
  { tokens, clock, random, metrics }: StoreTokenPorts,
  key: TokenKey,
  requirement: Requirement,
  read: TokenEntry,
  keep: (entry: TokenEntry) => void,
  { issued, credentialVersionId, credentialCreatedAtMs, refused, deadlineMs }: MintedToken,
): Promise<{ entry: TokenEntry; isOurs: boolean; fault: TokenFault | undefined }> {
  const credential = {
    credentialVersionId,
    credentialCreatedAtMs,
    refusedCredentialVersionId: refused?.versionId,
  };
  const tokenOver = ({ token: replaced }: TokenEntry): StoredToken => {
    const nowMs = clock.nowMs();
    return {
      ...storedTokenOf(issued, credential, replaced?.writesMs ?? [], nowMs),
      refusedTokens:
        replaced &&
        refusedTokensAfter(replaced, isRejected(replaced, requirement), nowMs, requirement.byOperator),
    };
  };
  const isValid = (stored: StoredToken | undefined): stored is StoredToken =>
    stored !== undefined &&
    serves(stored, { ...requirement, minValidityMs: 0, waitsForIssuer: false }, clock.nowMs());
  // False for a token of another credential, which may have been replaced because it expires.
  const outlives = (stored: StoredToken) =>
    stored.credentialVersionId === credentialVersionId && stored.expiresAtMs > issued.expiresAtMs;
  if (isValid(read.token) && outlives(read.token)) return { entry: read, isOurs: false, fault: undefined };
  let seen = read;
  let token = tokenOver(seen);
  let failure: StoreError | undefined;
  let fault: TokenFault | undefined;
  const leftMs = () => deadlineMs - clock.monotonicMs();
  const countRefusal = (error: unknown): never => {
    // Without an answer, the write may have succeeded.
    if (error instanceof StoreError && error.code !== 'unavailable') metrics.count('TokenWriteRefused');
    throw error;
  };
  for (let round = 1; round <= WRITE_ROUNDS; round += 1) {
    try {
      const outcome = await tokens.compareAndSet(key, seen, token, leftMs()).catch(countRefusal);
      if (outcome.kind === 'written') {
        return { entry: { ...seen, versionId: outcome.versionId, token }, isOurs: true, fault };
      }
      fault = 'write_conflict';
      const latest = await latestAfter(tokens, key, seen, leftMs);
      if (latest === undefined) throw new StoreError('unavailable', NOT_VISIBLE);
      const { entry, isCurrent } = latest;
      if (isCurrent) {
        keep(entry);
        // eslint-disable-next-line no-restricted-syntax -- both tokens come from the platform
        if (entry.token?.accessToken === issued.accessToken) {
          // An earlier attempt succeeded, but its response was lost.
          return { entry, isOurs: true, fault };
        }
        const nowMs = clock.nowMs();
        if (
          isValid(entry.token) &&
          (outlives(entry.token) ||
            entry.token.issuedAtMs > issued.issuedAtMs ||
            (serves(entry.token, requirement, nowMs) && !isDue(key, entry.token, nowMs)))
        ) {
          return { entry, isOurs: false, fault };
        }
      }
      checkWriteBudget(key, entry.token, requirement, clock.nowMs());
      seen = entry;
      token = tokenOver(seen);
    } catch (error) {
      const waitMs = random() * WRITE_BACKOFF_BASE_MS * 2 ** round;
      const isRetryable = error instanceof StoreError && error.isRetryable;
      if (!isRetryable || waitMs >= leftMs()) throw error;
      failure = error;
      fault = faultOf(error);
      await clock.sleep(waitMs);
    }
  }
  const message = failure?.message ?? 'other writers kept changing the token';
  throw new TokenError('store_unavailable', message, { cause: failure, fault });
}

/**
 * The latest entry written after `seen`, found one by one: each writer derives its version id from the previous version. It is
 * current unless somebody moved AWSCURRENT to another version by hand. Its own labels may not be visible yet.
 */
async function latestAfter(
  tokens: TokenStore,
  key: TokenKey,
  seen: TokenEntry,
  leftMs: () => number,
): Promise<{ entry: TokenEntry; isCurrent: boolean } | undefined> {
  let latest: NextEntry | undefined;
  for (;;) {
    const next = await tokens.readNext(key, latest ?? seen, leftMs());
    if (next === undefined) return latest && { entry: latest, isCurrent: latest.labels.length === 0 };
    if (next.labels.includes('AWSCURRENT')) return { entry: next, isCurrent: true };
    latest = next;
  }
}

/**
 * Checks that the write budget allows another write. A forced renewal has a smaller budget: it replaces an unexpired token
 * because a caller reports it as refused, or needs a longer validity before the token is due.
 * @throws {TokenError} `write_budget_spent`
 */
export function checkWriteBudget(
  key: TokenKey,
  stored: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): void {
  if (stored === undefined) return;
  const leftMs = stored.expiresAtMs - nowMs;
  const needsLongerValidity = leftMs < requirement.minValidityMs && !isDue(key, stored, nowMs);
  const isForced = leftMs > 0 && (needsLongerValidity || isRejected(stored, requirement));
  const allowedAtMs = nextWriteAllowedAtMs(stored.writesMs, nowMs, isForced);
  if (allowedAtMs === undefined) return;
  throw new TokenError('write_budget_spent', 'the token was renewed too often in the last 24 hours', {
    retryAfterMs: allowedAtMs - nowMs,
  });
}
