import { type TokenValue } from '../contract/secret-values';
import { type TokenKey } from '../contract/token-key';

/**
 * An access token of the platform with the key that names it; times are ISO 8601, UTC. It is frozen.
 * `accessToken` is not enumerable: it is read as usual, also by destructuring, but logging, `JSON.stringify` and
 * spreading leave it out.
 */
export type AccessToken = Readonly<TokenValue>;

/** The token in the value of a secret, without the fields that are the store's own. */
export function accessTokenOf(value: TokenValue, key: TokenKey): AccessToken {
  const { accessToken, tokenType, issuedAt, expiresAt, credentialVersionId } = value;
  const visible = { ...key, tokenType, issuedAt, expiresAt, credentialVersionId };
  return Object.freeze(
    Object.defineProperty(visible, 'accessToken', { value: accessToken }) as unknown as TokenValue,
  );
}
