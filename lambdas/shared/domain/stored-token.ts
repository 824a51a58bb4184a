import { type TokenValue } from '../../../contract/secret-values';
import { type TokenKey } from '../../../contract/token-key';
import { type IssuedToken } from './token-answer';
import { recentWrites } from './write-budget';

/** A token as this project stores it, read back and believed. */
export interface StoredToken {
  accessToken: string;
  issuedAtMs: number;
  expiresAtMs: number;
  credentialVersionId: string;
  /** When this secret was written in the last 24 h, in ms. */
  writesMs: number[];
}

const KEY_FIELDS = ['environment', 'platformRegion', 'tenantId', 'interface', 'scope'] as const;

/**
 * Reads the value of a token secret. An entry that is malformed or names another key counts as none:
 * it must never be served, and the next renewal replaces it.
 */
export function parseStoredToken(secretString: string, key: TokenKey): StoredToken | undefined {
  let value: Partial<Record<string, unknown>>;
  try {
    const parsed: unknown = JSON.parse(secretString);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    value = parsed;
  } catch {
    return undefined;
  }
  if (KEY_FIELDS.some((field) => value[field] !== key[field])) return undefined;
  const { accessToken, issuedAt, expiresAt, credentialVersionId, writesMs } = value;
  if (typeof accessToken !== 'string' || accessToken === '' || typeof credentialVersionId !== 'string') {
    return undefined;
  }
  const issuedAtMs = typeof issuedAt === 'string' ? Date.parse(issuedAt) : NaN;
  const expiresAtMs = typeof expiresAt === 'string' ? Date.parse(expiresAt) : NaN;
  if (Number.isNaN(issuedAtMs) || Number.isNaN(expiresAtMs)) return undefined;
  const writes = Array.isArray(writesMs) ? writesMs.filter((ms): ms is number => Number.isFinite(ms)) : [];
  return { accessToken, issuedAtMs, expiresAtMs, credentialVersionId, writesMs: writes };
}

/** The entry that is to be stored for a token that was just issued. */
export function storedTokenOf(
  issued: IssuedToken,
  credentialVersionId: string,
  earlierWritesMs: readonly number[],
  nowMs: number,
): StoredToken {
  return {
    accessToken: issued.accessToken,
    issuedAtMs: issued.issuedAtMs,
    expiresAtMs: issued.expiresAtMs,
    credentialVersionId,
    writesMs: [...recentWrites(earlierWritesMs, nowMs), nowMs],
  };
}

/** The value of a token secret. */
export function serializeStoredToken(token: StoredToken, key: TokenKey): string {
  const value: TokenValue & { writesMs: number[] } = {
    accessToken: token.accessToken,
    tokenType: 'Bearer',
    ...key,
    issuedAt: new Date(token.issuedAtMs).toISOString(),
    expiresAt: new Date(token.expiresAtMs).toISOString(),
    credentialVersionId: token.credentialVersionId,
    writesMs: token.writesMs,
  };
  return JSON.stringify(value);
}
