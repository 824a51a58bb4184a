import { type TokenKey } from '../../contract/token-key';
import { type SweepOutcome } from '../../contract/token-refresh';
import { type TokenError } from '../shared/domain/token-errors';

/** What became of one token in a sweep. */
export interface TokenReport {
  key: TokenKey;
  outcome: SweepOutcome;
  /** Why it was not renewed though it should have been. Never loaded is no failure, and has none. */
  failure?: TokenError;
}

/** Whether a token was not looked after as it should have been. */
export function isFailure({ outcome, failure }: TokenReport): boolean {
  return outcome === 'skipped' || failure !== undefined;
}
