import { type TokenValue } from '../core/secrets/secret-values';
import { type TokenKey } from '../core/tokens/published-keys';

/**
 * An access token with its token key. Times are ISO 8601, UTC. The object is frozen.
 * `accessToken` is not enumerable: logging, `JSON.stringify` and spreading leave it out. Reading and destructuring work.
 */
export type AccessToken = Readonly<
  TokenValue & {
    /** AWS region that the token was read in. Only with the option `regions`. */
    region?: string;
  }
>;

/** Converts a secret's value to the token for callers. Drops fields that only the store uses. */
export function accessTokenOf(value: TokenValue, key: TokenKey, region?: string): AccessToken {
  const { accessToken, tokenType, issuedAt, expiresAt, credentialVersionId } = value;
  const visible = {
    ...key,
    tokenType,
    issuedAt,
    expiresAt,
    credentialVersionId,
    ...(region !== undefined && { region }),
  };
  return Object.freeze(
    Object.defineProperty(visible, 'accessToken', { value: accessToken }) as unknown as TokenValue,
  );
}
