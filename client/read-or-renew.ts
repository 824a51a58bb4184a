import { type TokenKey } from '../core/tokens/published-keys';
import { after, type Clock, now, timeLeftMs } from './clock';
import { type CachedToken } from './token-cache';
import { type TokenRefreshFunction } from './token-refresh-function';
import { type SecretReader, type StoredVersion } from './token-secret-reader';
import { TokenUnavailableError } from './token-unavailable-error';

/** How long to retry while token-refresh is busy. Meanwhile, another process may store a usable token. */
const BUSY_FOR_MS = 20_000;
const MIN_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 2_000;
/** Secrets Manager may return the old version for a moment after a write. */
const MAX_READS_OF_NEW_VERSION = 6;

export interface ReadOrRenewPorts {
  secrets: SecretReader;
  tokenRefresh: TokenRefreshFunction;
  clock: Clock;
  random: () => number;
}

/** Decides which tokens callers may get. */
export interface ServingRule {
  /** Whether the token is valid for long enough and was not refused. */
  serves(token: CachedToken): boolean;
  /** Whether the token has not expired and was not refused: good enough if renewal fails. */
  isAlive(token: CachedToken): boolean;
  isRefused(token: CachedToken): boolean;
  /** Serves a refused token for a while, because it cannot be replaced. */
  ignoreRejectionsBriefly(token: CachedToken): void;
}

/** A token, with the failed renewal if the token does not serve. */
export interface FoundToken {
  cached: CachedToken;
  failure?: TokenUnavailableError;
}

/**
 * Reads the stored token. If it does not serve, asks token-refresh for a renewal and reads again. If that fails, falls
 * back to the stored token as long as it is alive.
 * @param readTries maximum attempts of the first read while Secrets Manager fails
 * @throws {TokenUnavailableError}
 */
export async function readOrRenew(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  readTries: number,
): Promise<FoundToken> {
  const stored = await readPatiently(ports, key, rule, readTries);
  if (stored?.cached !== undefined && rule.serves(stored.cached)) return { cached: stored.cached };
  try {
    return { cached: await renewedToken(ports, key, rule, stored) };
  } catch (failure) {
    if (stored?.cached === undefined || !(failure instanceof TokenUnavailableError)) throw failure;
    // Keep serving a token that cannot be replaced: only some callers' requests may be refused.
    const isIrreplaceable = failure.code === 'write_budget_spent' || !ports.tokenRefresh.isConfiguredFor(key);
    if (isIrreplaceable) rule.ignoreRejectionsBriefly(stored.cached);
    if (!rule.isAlive(stored.cached)) throw failure;
    return { cached: stored.cached, failure };
  }
}

async function readPatiently(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  tries: number,
): Promise<StoredVersion | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ports.secrets.read(key, (token) => rule.serves(token));
    } catch (error) {
      const isOutage = error instanceof TokenUnavailableError && error.code === 'store_unavailable';
      if (!isOutage || attempt >= tries) throw error;
      await ports.clock.sleep(fullJitterMs(ports, attempt));
    }
  }
}

/** The digest of the stored token if it was refused, for `ensure`. */
export function refusedDigest(stored: StoredVersion | undefined, rule: ServingRule): string | undefined {
  return stored?.cached !== undefined && rule.isRefused(stored.cached) ? stored.cached.sha256 : undefined;
}

async function renewedToken(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  read: StoredVersion | undefined,
): Promise<CachedToken> {
  const { secrets, tokenRefresh, clock } = ports;
  if (!tokenRefresh.isConfiguredFor(key)) throw notRenewable(key, read, rule);
  const until = after(now(clock), BUSY_FOR_MS);
  let stored = read;
  for (let attempt = 1; ; attempt += 1) {
    const versionId = await tokenRefresh.ensure(key, refusedDigest(stored, rule));
    if (versionId !== undefined) return readVersion(ports, key, rule, versionId);
    const waitMs = fullJitterMs(ports, attempt);
    if (timeLeftMs(until, clock) <= waitMs) {
      throw new TokenUnavailableError(
        'token_refresh_unavailable',
        key,
        'token-refresh is still busy or unreachable',
      );
    }
    await clock.sleep(waitMs);
    stored = await secrets.read(key, (token) => rule.serves(token));
    if (stored?.cached !== undefined && rule.serves(stored.cached)) return stored.cached;
  }
}

/** Reads until the secret shows the version that token-refresh returned, or another one that serves. */
async function readVersion(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  versionId: string,
): Promise<CachedToken> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await ports.secrets.read(key, (token) => rule.serves(token));
    if (stored?.cached !== undefined && rule.serves(stored.cached)) return stored.cached;
    if (stored?.versionId === versionId) {
      throw new TokenUnavailableError('no_usable_token', key, whyUnusable(stored, rule));
    }
    if (attempt === MAX_READS_OF_NEW_VERSION) {
      throw new TokenUnavailableError('no_usable_token', key, 'the secret does not show the new token yet');
    }
    await ports.clock.sleep(fullJitterMs(ports, attempt));
  }
}

function notRenewable(
  key: TokenKey,
  read: StoredVersion | undefined,
  rule: ServingRule,
): TokenUnavailableError {
  return read === undefined
    ? new TokenUnavailableError('not_found', key, 'the secret does not exist or has no value yet')
    : new TokenUnavailableError('no_usable_token', key, whyUnusable(read, rule));
}

function whyUnusable({ cached }: StoredVersion, rule: ServingRule): string {
  if (cached === undefined) return 'the secret does not hold a token for this key';
  if (rule.isRefused(cached)) return 'the stored token was refused, and no other is stored';
  return `the stored token expires at ${cached.token.expiresAt}, too soon`;
}

/** @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/ */
function fullJitterMs({ random }: ReadOrRenewPorts, attempt: number): number {
  return random() * Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** (attempt - 1));
}
