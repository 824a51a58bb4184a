import { type StoredToken } from '../shared/domain/stored-token';
import { TokenError } from '../shared/domain/token-errors';
import { nextWriteAllowedAtMs } from '../shared/domain/write-budget';
import { type Requirement, isRejected } from './requirement';

/**
 * Makes sure that a token may be written over the one that is stored. A renewal is forced if the stored token would go
 * on but for the caller's word that it was refused.
 * @throws {TokenError} `write_budget_spent`
 */
export function checkWriteBudget(
  stored: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): void {
  if (stored === undefined) return;
  const isForced = isRejected(stored, requirement) && stored.expiresAtMs > nowMs;
  const allowedAtMs = nextWriteAllowedAtMs(stored.writesMs, nowMs, isForced);
  if (allowedAtMs === undefined) return;
  throw new TokenError('write_budget_spent', 'the token was renewed too often in the last 24 hours', {
    retryAfterMs: allowedAtMs - nowMs,
  });
}
