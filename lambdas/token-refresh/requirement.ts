import { sha256Hex } from '../../core/secrets/sha256';
import { type StoredToken } from '../../core/tokens/stored-token';

export interface Requirement {
  minValidityMs: number;
  /** Digest of a token that the platform refused. A stored token with this digest does not serve. */
  rejectedTokenSha256?: string | undefined;
  /** Whether an operator reports it, to have it replaced. @default false */
  byOperator?: boolean;
  /** Version of the current credential. A token that another version obtained still serves, but is replaced. */
  credentialVersionId?: string | undefined;
  /** Whether an expired token serves while its issuer would return the same one: for sweeps, which try again. @default false */
  waitsForIssuer?: boolean;
  /** A token that may be due before this, in ms since the epoch, still serves, but is replaced. */
  renewBeforeMs?: number;
  /** Every call ends before this, in ms by the monotonic clock. */
  deadlineMs: number;
  /** Waits for the turn to send a token request, and returns the new deadline. @default no wait, the same deadline */
  awaitTurn?: () => Promise<number>;
}

/** Whether the caller reports that the platform refused this token. */
export function isRejected(token: StoredToken, requirement: Requirement): boolean {
  // eslint-disable-next-line no-restricted-syntax -- a caller who may call this may also renew the token
  return requirement.rejectedTokenSha256 === sha256Hex(token.accessToken);
}

export function serves(
  token: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): token is StoredToken {
  if (token === undefined || isRejected(token, requirement)) return false;
  // A request would get the same token.
  const isIssuedAgain = token.sameUntilMs !== undefined && nowMs < token.sameUntilMs;
  if (isIssuedAgain && requirement.waitsForIssuer === true) return true;
  return token.expiresAtMs - nowMs >= Math.max(isIssuedAgain ? 0 : requirement.minValidityMs, 1);
}
