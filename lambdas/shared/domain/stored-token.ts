import { type TokenValue } from '../../../contract/secret-values';
import { type TokenKey } from '../../../contract/token-key';
import { parseTokenValue } from '../../../contract/token-value';
import { type IssuedToken } from './token-answer';
import { recentWrites } from './write-budget';

/** A token from a token secret. */
export interface StoredToken {
  accessToken: string;
  issuedAtMs: number;
  expiresAtMs: number;
  credentialVersionId: string;
  /** When this secret was written in the last 24 h, in ms since the epoch. */
  writesMs: number[];
}

/** Parses the value of a token secret; undefined if it is not a token of this key. */
export function parseStoredToken(secretString: string, key: TokenKey): StoredToken | undefined {
  const value = parseTokenValue(secretString, key);
  if (value === undefined) return undefined;
  const { accessToken, issuedAt, expiresAt, credentialVersionId, writesMs } = value;
  return {
    accessToken,
    issuedAtMs: Date.parse(issuedAt),
    expiresAtMs: Date.parse(expiresAt),
    credentialVersionId,
    writesMs: Array.isArray(writesMs) ? writesMs.filter((ms): ms is number => Number.isFinite(ms)) : [],
  };
}

/** The entry to store for a new token. */
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

/** Serializes the value of a token secret. */
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
