import { sha256Hex } from '../../core/secrets/sha256';
import { type StoredToken } from '../../core/tokens/stored-token';

/** What a caller of a renewal requires. */
export interface Requirement {
  minValidityMs: number;
  /** Digest of a token that the platform refused. A stored token with this digest does not serve. */
  rejectedTokenSha256?: string | undefined;
  /** Version of the current credential. A token of another version still serves, but is replaced. */
  credentialVersionId?: string | undefined;
  /** Whether an expired token serves while its issuer has no other: a sweep comes again. @default false */
  waitsForIssuer?: boolean;
  /** A token that may be due before this, in ms since the epoch, still serves, but is replaced. */
  renewBeforeMs?: number;
  /** Latest end of every call, in ms by the monotonic clock. */
  deadlineMs: number;
  /** Waits for the turn to send a token request, and returns the deadline from then on. @default no wait */
  awaitTurn?: () => Promise<number>;
}

/** Whether this is the token that the caller reports as refused. */
export function isRejected(token: StoredToken, requirement: Requirement): boolean {
  // eslint-disable-next-line no-restricted-syntax -- a caller who may call this may also renew the token
  return requirement.rejectedTokenSha256 === sha256Hex(token.accessToken);
}

/** Whether a token meets the requirement. */
export function serves(
  token: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): token is StoredToken {
  if (token === undefined || isRejected(token, requirement)) return false;
  // While the issuer has no other, a request gains nothing.
  const isOnlyOne = token.sameUntilMs !== undefined && nowMs < token.sameUntilMs;
  if (isOnlyOne && requirement.waitsForIssuer === true) return true;
  return token.expiresAtMs - nowMs >= Math.max(isOnlyOne ? 0 : requirement.minValidityMs, 1);
}
