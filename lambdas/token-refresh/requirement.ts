import { sha256Hex } from '../../contract/sha256';
import { type StoredToken } from '../shared/domain/stored-token';

/** What a caller of a renewal requires of the token. */
export interface Requirement {
  minValidityMs: number;
  /** Digest of a token that the platform refused: the stored one does not serve if it is that token. */
  rejectedTokenSha256?: string | undefined;
  /** Version of the current credential: a token of an older one still serves, but is replaced. */
  credentialVersionId?: string | undefined;
  /** In ms by the monotonic clock: no request starts after it, and running calls end by then. */
  deadlineMs: number;
}

/** Whether the caller reports this token as refused by the platform. */
export function isRejected(token: StoredToken, requirement: Requirement): boolean {
  // eslint-disable-next-line no-restricted-syntax -- a caller who may ask this may also renew the token
  return requirement.rejectedTokenSha256 === sha256Hex(token.accessToken);
}

/** Whether a token meets the requirement. */
export function serves(
  token: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): token is StoredToken {
  return (
    token !== undefined &&
    token.expiresAtMs - nowMs >= Math.max(requirement.minValidityMs, 1) &&
    !isRejected(token, requirement)
  );
}
