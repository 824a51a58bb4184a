import { type TokenState } from '../deployment/deployment-snapshot';
import { type TokenValue } from '../secrets/secret-values';
import { sha256Hex } from '../secrets/sha256';
import { type TokenKey } from './token-key';
import { isTime, parseTokenValue, type RefusedToken, refusedTokensIn } from './token-value';
import { type IssuedToken } from './token-answer';
import { recentWrites } from '../secrets/write-budget';

/** Maximum number of refused tokens that the value of a token secret lists. Older ones have lost AWSPREVIOUS. */
const MAX_REFUSED = 4;
/** How long after its expiry a refused token stays listed, for the finding `token_refused_early`. */
const LISTED_AFTER_EXPIRY_MS = 24 * 60 * 60 * 1000;

/** A token from a token secret. */
export interface StoredToken {
  accessToken: string;
  issuedAtMs: number;
  expiresAtMs: number;
  credentialVersionId: string;
  /** When that version was created, in ms since the epoch. Saves credential-watch a call. Absent if unknown. */
  credentialCreatedAtMs?: number | undefined;
  /** When this secret was written in the last 24 h, in ms since the epoch. */
  writesMs: number[];
  /** Until then, in ms since the epoch, the issuer returns this token to each request. Absent if it never does. */
  sameUntilMs?: number | undefined;
  /** The current credential, if the platform refused it and a former one obtained this token. */
  refusedCredentialVersionId?: string | undefined;
  /** Earlier tokens that the platform refused, until a day after their expiry. */
  refusedTokens?: RefusedToken[] | undefined;
}

/** Parses the value of a token secret; undefined if it holds no token of this key. */
export function parseStoredToken(secretString: string, key: TokenKey): StoredToken | undefined {
  const value = parseTokenValue(secretString, key);
  if (value === undefined) return undefined;
  const { accessToken, issuedAt, expiresAt, credentialVersionId, refusedCredentialVersionId, writesMs } =
    value;
  const refusedTokens = refusedTokensIn(value);
  return {
    accessToken,
    issuedAtMs: Date.parse(issuedAt),
    expiresAtMs: Date.parse(expiresAt),
    credentialVersionId,
    writesMs: Array.isArray(writesMs) ? writesMs.filter((ms): ms is number => Number.isFinite(ms)) : [],
    ...(isTime(value.sameUntil) && { sameUntilMs: Date.parse(value.sameUntil) }),
    ...(isTime(value.credentialCreatedAt) && {
      credentialCreatedAtMs: Date.parse(value.credentialCreatedAt),
    }),
    ...(typeof refusedCredentialVersionId === 'string' && { refusedCredentialVersionId }),
    ...(refusedTokens.length > 0 && { refusedTokens }),
  };
}

/** What a snapshot says of a stored token: times and versions, without the token. */
export function tokenStateOf(versionId: string, stored: StoredToken): TokenState {
  const { sameUntilMs, credentialVersionId, credentialCreatedAtMs } = stored;
  const { refusedCredentialVersionId, refusedTokens = [] } = stored;
  const refusedByPlatform = refusedTokens
    .filter(({ byOperator }) => byOperator !== true)
    .map(({ expiresAtMs }) => isoText(expiresAtMs));
  return {
    access: 'ok',
    token: {
      versionId,
      issuedAt: isoText(stored.issuedAtMs),
      expiresAt: isoText(stored.expiresAtMs),
      ...(sameUntilMs !== undefined && { sameUntil: isoText(sameUntilMs) }),
      credentialVersionId,
      ...(credentialCreatedAtMs !== undefined && { credentialCreatedAt: isoText(credentialCreatedAtMs) }),
      ...(refusedCredentialVersionId !== undefined && { refusedCredentialVersionId }),
      ...(refusedByPlatform.length > 0 && { refusedExpiresAt: refusedByPlatform }),
    },
  };
}

/**
 * The refused tokens to list in the value that replaces a token.
 * @param isRefused whether the replaced token is reported as refused
 * @param byOperator whether an operator reports it, to have it replaced
 */
export function refusedTokensAfter(
  { accessToken, expiresAtMs, refusedTokens = [] }: StoredToken,
  isRefused: boolean,
  nowMs: number,
  byOperator = false,
): RefusedToken[] | undefined {
  const latest: RefusedToken[] = isRefused
    ? [{ sha256: sha256Hex(accessToken), expiresAtMs, ...(byOperator && { byOperator }) }]
    : [];
  const listed = [...latest, ...refusedTokens].filter(
    (refused) => refused.expiresAtMs > nowMs - LISTED_AFTER_EXPIRY_MS,
  );
  return listed.length === 0 ? undefined : listed.slice(0, MAX_REFUSED);
}

/** What to store for a new token. */
export function storedTokenOf(
  issued: IssuedToken,
  credential: Pick<
    StoredToken,
    'credentialVersionId' | 'credentialCreatedAtMs' | 'refusedCredentialVersionId'
  >,
  earlierWritesMs: readonly number[],
  nowMs: number,
): StoredToken {
  return {
    accessToken: issued.accessToken,
    issuedAtMs: issued.issuedAtMs,
    expiresAtMs: issued.expiresAtMs,
    sameUntilMs: issued.sameUntilMs,
    ...credential,
    writesMs: [...recentWrites(earlierWritesMs, nowMs), nowMs],
  };
}

/** Serializes the value of a token secret. */
export function serializeStoredToken(token: StoredToken, key: TokenKey): string {
  const value: TokenValue<TokenKey> &
    Pick<StoredToken, 'writesMs' | 'refusedCredentialVersionId' | 'refusedTokens'> & {
      sameUntil?: string;
      credentialCreatedAt?: string;
    } = {
    accessToken: token.accessToken,
    tokenType: 'Bearer',
    ...key,
    issuedAt: isoText(token.issuedAtMs),
    expiresAt: isoText(token.expiresAtMs),
    credentialVersionId: token.credentialVersionId,
    writesMs: token.writesMs,
    refusedCredentialVersionId: token.refusedCredentialVersionId,
    refusedTokens: token.refusedTokens,
    ...(token.credentialCreatedAtMs !== undefined && {
      credentialCreatedAt: isoText(token.credentialCreatedAtMs),
    }),
    ...(token.sameUntilMs !== undefined && { sameUntil: isoText(token.sameUntilMs) }),
  };
  return JSON.stringify(value);
}

function isoText(ms: number): string {
  return new Date(ms).toISOString();
}
