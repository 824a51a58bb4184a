import { faultOf, StoreError } from '../shared/domain/store-error';
import { type StoredToken } from '../shared/domain/stored-token';
import { TokenError } from '../shared/domain/token-errors';
import { type Metrics } from '../shared/ports';

/** A failure of the platform or of the store in the contract's terms. @throws whatever is neither: a bug */
export function asTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error;
  if (!(error instanceof StoreError)) throw error;
  return new TokenError('store_unavailable', error.message, { cause: error, fault: faultOf(error) });
}

/** Counts a renewal that failed. A tenant that was never loaded is no failure: a stored token shows that it was. */
export function countFailure(metrics: Metrics, { fault }: TokenError, stored: StoredToken | undefined): void {
  metrics.count('TokenFault', 1, { code: fault });
  if (fault === 'write_budget_spent') metrics.count('TokenWriteRefused');
  if (fault === 'not_loaded' && stored === undefined) return;
  metrics.count('TokenRenewalFailed');
}
