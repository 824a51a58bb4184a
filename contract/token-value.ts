import { parseJsonObject } from './json-object';
import { type TokenValue } from './secret-values';
import { type TokenKey } from './token-key';

const KEY_FIELDS = ['environment', 'platformRegion', 'tenantId', 'interface', 'scope'] as const;

/**
 * Reads the value of a token secret. An entry that is malformed or names another key counts as none: it must never be
 * served, and the next renewal replaces it. Further fields are kept as they are.
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
