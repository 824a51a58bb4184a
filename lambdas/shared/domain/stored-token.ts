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
  /** The current credential, if the platform refused it and a former one obtained this token. */
  refusedCredentialVersionId?: string | undefined;
}

/** Parses the value of a token secret; undefined if it is not a token of this key. */
export function parseStoredToken(secretString: string, key: TokenKey): StoredToken | undefined {
  const value = parseTokenValue(secretString, key);
  if (value === undefined) return undefined;
  const { accessToken, issuedAt, expiresAt, credentialVersionId, refusedCredentialVersionId, writesMs } =
    value;
  return {
    accessToken,
    issuedAtMs: Date.parse(issuedAt),
    expiresAtMs: Date.parse(expiresAt),
    credentialVersionId,
    writesMs: Array.isArray(writesMs) ? writesMs.filter((ms): ms is number => Number.isFinite(ms)) : [],
    ...(typeof refusedCredentialVersionId === 'string' && { refusedCredentialVersionId }),
  };
}

/** The entry to store for a new token. */
export function storedTokenOf(
  issued: IssuedToken,
  credential: Pick<StoredToken, 'credentialVersionId' | 'refusedCredentialVersionId'>,
  earlierWritesMs: readonly number[],
  nowMs: number,
): StoredToken {
  return {
    accessToken: issued.accessToken,
    issuedAtMs: issued.issuedAtMs,
    expiresAtMs: issued.expiresAtMs,
    ...credential,
    writesMs: [...recentWrites(earlierWritesMs, nowMs), nowMs],
  };
}

/** Serializes the value of a token secret. */
export function serializeStoredToken(token: StoredToken, key: TokenKey): string {
  const value: TokenValue & Pick<StoredToken, 'writesMs' | 'refusedCredentialVersionId'> = {
    accessToken: token.accessToken,
    tokenType: 'Bearer',
    ...key,
    issuedAt: new Date(token.issuedAtMs).toISOString(),
    expiresAt: new Date(token.expiresAtMs).toISOString(),
    credentialVersionId: token.credentialVersionId,
    writesMs: token.writesMs,
    refusedCredentialVersionId: token.refusedCredentialVersionId,
  };
  return JSON.stringify(value);
}
