import { isJsonObject, parseJsonObject } from '../json/json-object';
import { type TokenValue } from '../secrets/secret-values';
import { type TokenKey } from './token-key';

/** A token that was replaced before its expiry, because the platform refused it or an operator asked for it. */
export interface RefusedToken {
  /** As lower-case hexadecimal digits. */
  sha256: string;
  expiresAtMs: number;
  byOperator?: true;
}

const KEY_FIELDS = ['issuer', 'environment', 'platformRegion', 'tenantId', 'interface', 'scope'] as const;

/**
 * Parses the value of a token secret, and keeps fields that it does not know. Returns undefined if the value is malformed or
 * belongs to another key: such a token is never served, and the next renewal replaces it.
 */
export function parseTokenValue<Key extends TokenKey>(
  secretString: string,
  key: Key,
): (TokenValue<Key> & Readonly<Record<string, unknown>>) | undefined {
  const value = parseJsonObject(secretString);
  if (value === undefined) return undefined;
  if (KEY_FIELDS.some((field) => value[field] !== key[field])) return undefined;
  const { accessToken, tokenType, issuedAt, expiresAt, credentialVersionId } = value;
  if (typeof accessToken !== 'string' || accessToken === '' || tokenType !== 'Bearer') return undefined;
  if (!isTime(issuedAt) || !isTime(expiresAt) || typeof credentialVersionId !== 'string') return undefined;
  return { ...value, ...key, accessToken, tokenType, issuedAt, expiresAt, credentialVersionId };
}

/** The refused tokens that the value of a token secret lists, latest first. */
export function refusedTokensIn({ refusedTokens }: Readonly<Record<string, unknown>>): RefusedToken[] {
  return Array.isArray(refusedTokens) ? refusedTokens.filter(isRefusedToken) : [];
}

function isRefusedToken(value: unknown): value is RefusedToken {
  return isJsonObject(value) && typeof value.sha256 === 'string' && Number.isFinite(value.expiresAtMs);
}

export function isTime(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
