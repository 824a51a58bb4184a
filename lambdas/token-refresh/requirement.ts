import { sha256Hex } from '../../contract/sha256';
import { type StoredToken } from '../shared/domain/stored-token';

/** What a caller needs of a token. */
export interface Requirement {
  minValidityMs: number;
  /** Digest of a token that the platform refused: if the stored one is that, it does not serve. */
  rejectedTokenSha256?: string | undefined;
  /** The current credential: a token of an older one still serves, but is replaced. */
  credentialVersionId?: string | undefined;
  /** No request is begun or repeated after this time, in ms by the monotonic clock; calls that run then are ended. */
  deadlineMs: number;
}

/** Whether the platform refused this very token, as the caller says. */
export function isRejected(token: StoredToken, requirement: Requirement): boolean {
  // eslint-disable-next-line no-restricted-syntax -- a caller who may ask this may also renew the token
  return requirement.rejectedTokenSha256 === sha256Hex(token.accessToken);
}

/** Whether a token is all that the caller needs. */
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
