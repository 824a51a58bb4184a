import { type TokenKey } from '../contract/token-key';
import { after, type Clock, now, timeLeftMs } from './clock';
import { type CachedToken } from './token-cache';
import { type TokenRefreshFunction } from './token-refresh-function';
import { type StoredVersion, type TokenSecretReader } from './token-secret-reader';
import { TokenUnavailableError } from './token-unavailable-error';

/** How long to keep asking a busy token-refresh: meanwhile another caller's renewal may serve us too. */
const BUSY_FOR_MS = 20_000;
const BACKOFF_FROM_MS = 100;
const BACKOFF_CAP_MS = 2_000;
/** Secrets Manager may still show the old version for a moment after a write. */
const READS_OF_NEW_VERSION = 6;

export interface ReadOrRenewPorts {
  secrets: TokenSecretReader;
  tokenRefresh: TokenRefreshFunction;
  clock: Clock;
  random: () => number;
}

/** Which tokens are good for callers. */
export interface ServingRule {
  /** Lives long enough and was not refused. */
  serves(token: CachedToken): boolean;
  /** Was not refused and has not expired: good enough where renewal fails. */
  isAlive(token: CachedToken): boolean;
  isRefused(token: CachedToken): boolean;
  /** Lets a refused token serve for a while, because it cannot be replaced. */
  ignoreRejectionsBriefly(token: CachedToken): void;
}

/** A token, and why renewal failed if it does not serve. */
export interface FoundToken {
  cached: CachedToken;
  failure?: TokenUnavailableError;
}

/**
 * Reads the stored token. If it does not serve, asks token-refresh and reads again. If that fails, falls back to the
 * stored token as long as it is alive.
 * @param readTries how often the first read is tried while Secrets Manager fails
 * @throws {TokenUnavailableError}
 */
export async function readOrRenew(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  readTries: number,
): Promise<FoundToken> {
  const stored = await readPatiently(ports, key, readTries);
  if (stored?.cached !== undefined && rule.serves(stored.cached)) return { cached: stored.cached };
  try {
    return { cached: await renewedToken(ports, key, rule, stored) };
  } catch (failure) {
    if (stored?.cached === undefined || !(failure instanceof TokenUnavailableError)) throw failure;
    // It cannot be replaced, and callers whose requests are not refused must not suffer for those whose are.
    const isIrreplaceable = failure.code === 'write_budget_spent' || !ports.tokenRefresh.isConfiguredFor(key);
    if (isIrreplaceable) rule.ignoreRejectionsBriefly(stored.cached);
    if (!rule.isAlive(stored.cached)) throw failure;
    return { cached: stored.cached, failure };
  }
}

async function readPatiently(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  tries: number,
): Promise<StoredVersion | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ports.secrets.read(key);
    } catch (error) {
      const isOutage = error instanceof TokenUnavailableError && error.code === 'store_unavailable';
      if (!isOutage || attempt >= tries) throw error;
      await ports.clock.sleep(fullJitterMs(ports, attempt));
    }
  }
}

/** Digest to name a stored token by, if it is one that was refused. */
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
        'token-refresh stays busy or out of reach',
      );
    }
    await clock.sleep(waitMs);
    stored = await secrets.read(key);
    if (stored?.cached !== undefined && rule.serves(stored.cached)) return stored.cached;
  }
}

/** Reads the version that token-refresh calls usable, or another that serves. */
async function readVersion(
  ports: ReadOrRenewPorts,
  key: TokenKey,
  rule: ServingRule,
  versionId: string,
): Promise<CachedToken> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await ports.secrets.read(key);
    if (stored?.cached !== undefined && rule.serves(stored.cached)) return stored.cached;
    if (stored?.versionId === versionId) {
      throw new TokenUnavailableError('no_usable_token', key, whyUnusable(stored, rule));
    }
    if (attempt === READS_OF_NEW_VERSION) {
      throw new TokenUnavailableError(
        'no_usable_token',
        key,
        'the new token does not show in the secret yet',
      );
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
  if (cached === undefined) return 'the secret does not hold a token of this key';
  if (rule.isRefused(cached)) return 'the platform refused the stored token, and no other is stored';
  return `the stored token expires at ${cached.token.expiresAt}, too soon`;
}

/** @see https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/ */
function fullJitterMs({ random }: ReadOrRenewPorts, attempt: number): number {
  return random() * Math.min(BACKOFF_CAP_MS, BACKOFF_FROM_MS * 2 ** (attempt - 1));
}
