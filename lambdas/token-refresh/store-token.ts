import { type TokenFault } from '../../contract/metrics';
import { type TokenKey } from '../../contract/token-key';
import { faultOf, StoreError } from '../shared/domain/store-error';
import { refusedTokensAfter, type StoredToken, storedTokenOf } from '../shared/domain/stored-token';
import { TokenError } from '../shared/domain/token-errors';
import { isDue } from '../shared/domain/token-lifetime';
import { nextWriteAllowedAtMs } from '../shared/domain/write-budget';
import { type Clock, type Metrics, type Random, type TokenEntry, type TokenStore } from '../shared/ports';
import { type MintedToken } from './mint-token';
import { isRejected, type Requirement, serves } from './requirement';

/** Attempts to write. After that, the next sweep tries again. */
const WRITE_ROUNDS = 5;
const WRITE_BACKOFF_BASE_MS = 250;

export interface StoreTokenPorts {
  tokens: TokenStore;
  clock: Clock;
  random: Random;
  metrics: Metrics;
}

/**
 * Writes a new token over the one that was read. If another writer was faster, its token wins if it serves. Retries a
 * throttled write until the deadline.
 * @param readStored reads the current entry
 * @returns the entry stored in the end, whether it is the new token, and a fault that the write recovered from
 * @throws {StoreError | TokenError} `store_unavailable`, or `write_budget_spent` if other writers used it up
 */
export async function storeToken(
  { tokens, clock, random, metrics }: StoreTokenPorts,
  key: TokenKey,
  requirement: Requirement,
  read: TokenEntry,
  readStored: () => Promise<TokenEntry>,
  { issued, credentialVersionId, refused }: MintedToken,
): Promise<{ entry: TokenEntry; isOurs: boolean; fault: TokenFault | undefined }> {
  const credential = { credentialVersionId, refusedCredentialVersionId: refused?.versionId };
  const tokenOver = ({ token: replaced }: TokenEntry): StoredToken => {
    const nowMs = clock.nowMs();
    return {
      ...storedTokenOf(issued, credential, replaced?.writesMs ?? [], nowMs),
      refusedTokens: replaced && refusedTokensAfter(replaced, isRejected(replaced, requirement), nowMs),
    };
  };
  let seen = read;
  let token = tokenOver(seen);
  let failure: StoreError | undefined;
  let fault: TokenFault | undefined;
  const leftMs = () => requirement.deadlineMs - clock.monotonicMs();
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
      const current = await readStored();
      const isMoved = current.versionId !== seen.versionId;
      // eslint-disable-next-line no-restricted-syntax -- both tokens come from the platform
      if (isMoved && current.token?.accessToken === issued.accessToken) {
        // An earlier attempt succeeded, but its response was lost.
        return { entry: current, isOurs: true, fault };
      }
      const nowMs = clock.nowMs();
      if (
        isMoved &&
        current.token !== undefined &&
        !isRejected(current.token, requirement) &&
        (outlives(current.token, issued) ||
          (serves(current.token, requirement, nowMs) &&
            (!isDue(key, current.token, nowMs) || current.token.issuedAtMs > issued.issuedAtMs)))
      ) {
        return { entry: current, isOurs: false, fault };
      }
      if (isMoved) checkWriteBudget(key, current.token, requirement, nowMs);
      seen = isMoved ? current : { ...current, attempt: seen.attempt + 1 };
      token = isMoved ? tokenOver(seen) : token;
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

/** Whether a token expires later than the new one, which must not replace it then. */
function outlives(token: StoredToken, issued: MintedToken['issued']): boolean {
  return token.expiresAtMs > issued.expiresAtMs;
}

/**
 * Checks that another write is allowed. A forced renewal has a smaller budget: one that replaces an unexpired token because
 * a caller reports it as refused, or needs a longer validity before it is due.
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
  const isForLonger = leftMs < requirement.minValidityMs && !isDue(key, stored, nowMs);
  const isForced = leftMs > 0 && (isForLonger || isRejected(stored, requirement));
  const allowedAtMs = nextWriteAllowedAtMs(stored.writesMs, nowMs, isForced);
  if (allowedAtMs === undefined) return;
  throw new TokenError('write_budget_spent', 'the token was renewed too often in the last 24 hours', {
    retryAfterMs: allowedAtMs - nowMs,
  });
}
