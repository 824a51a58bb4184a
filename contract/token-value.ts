import { parseJsonObject } from './json-object';
import { type TokenValue } from './secret-values';
import { type TokenKey } from './token-key';

const KEY_FIELDS = ['environment', 'platformRegion', 'tenantId', 'interface', 'scope'] as const;

/**
 * Parses the value of a token secret. Returns undefined if it is malformed or names another key: such a token must never
 * be served, and the next renewal replaces it. Keeps further fields as they are.
 */
export function parseTokenValue(
  secretString: string,
  key: TokenKey,
): (TokenValue & Readonly<Record<string, unknown>>) | undefined {
  const value = parseJsonObject(secretString);
  if (value === undefined) return undefined;
  if (KEY_FIELDS.some((field) => value[field] !== key[field])) return undefined;
  const { accessToken, tokenType, issuedAt, expiresAt, credentialVersionId } = value;
  if (typeof accessToken !== 'string' || accessToken === '' || tokenType !== 'Bearer') return undefined;
  if (!isTime(issuedAt) || !isTime(expiresAt) || typeof credentialVersionId !== 'string') return undefined;
  return { ...value, ...key, accessToken, tokenType, issuedAt, expiresAt, credentialVersionId };
}

function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
