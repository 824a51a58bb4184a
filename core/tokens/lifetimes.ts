import { type IssuerProfile } from '../issuers/issuer-profile';

/**
 * The times behind the promise to readers: a stored token is valid for at least {@link GUARANTEED_LIFE_SEC} more, even
 * after one missed sweep, if the platform issues it for {@link MIN_GUARANTEED_LIFETIME_SEC} or longer.
 */

/** A token is renewed once it has less than this left, plus a jitter of up to {@link DUE_JITTER_SEC}. */
export const DUE_BELOW_SEC = 20 * 60;
export const DUE_JITTER_SEC = 60;

/** Time between two sweeps. */
export const SWEEP_INTERVAL_SEC = 5 * 60;

/** Worst case: a sweep finds a token not quite due, the next sweep is missed, and the one after it renews the token. */
export const GUARANTEED_LIFE_SEC = DUE_BELOW_SEC - 2 * SWEEP_INTERVAL_SEC;

/** Token lifetime of an issuer whose profile does not state one ("Limits" in the platform's specification: access token lifetime). */
export const DEFAULT_LIFETIME_SEC = 3600;

/** Minimum average time between two renewals of a token: 96 writes of its secret in 24 h. */
const RENEWAL_SPACING_SEC = 15 * 60;

/** The shortest lifetime for which the promise holds. Tokens with a shorter one are renewed later, to spare the write budget. */
export const MIN_GUARANTEED_LIFETIME_SEC = DUE_BELOW_SEC + RENEWAL_SPACING_SEC;

/** A token with this share of the stated lifetime is not short-lived: a wrong clock or a slow network took the rest. */
const STATED_SHARE = 0.9;

/**
 * Whether a token is issued for less than {@link MIN_GUARANTEED_LIFETIME_SEC} and for less than its issuer's profile states. Never
 * for an issuer that returns the same token again, because only the rest of its lifetime is known. Times in ms since the epoch.
 */
export function isShortLived(
  { issuedAtMs, expiresAtMs }: { issuedAtMs: number; expiresAtMs: number },
  { answer = {} }: Pick<IssuerProfile, 'answer'>,
): boolean {
  if (answer.sameTokenUntilSec !== undefined) return false;
  const { lifetimeSec = DEFAULT_LIFETIME_SEC } = answer;
  const minSec = Math.min(MIN_GUARANTEED_LIFETIME_SEC, STATED_SHARE * lifetimeSec);
  return expiresAtMs - issuedAtMs < minSec * 1000;
}

/**
 * What renewals can promise for tokens of an issuer that does what its profile says.
 * @returns `dueBelowSec`: a token with less time left is renewed; `guaranteedLifeSec`: validity of a stored token after one missed sweep
 */
export function promiseOf({ answer = {} }: Pick<IssuerProfile, 'answer'>): {
  dueBelowSec: number;
  guaranteedLifeSec: number;
} {
  const { lifetimeSec = DEFAULT_LIFETIME_SEC, sameTokenUntilSec = Infinity } = answer;
  const affordableSec = affordableMs(0, lifetimeSec * 1000) / 1000;
  const dueBelowSec = Math.min(DUE_BELOW_SEC, affordableSec, sameTokenUntilSec);
  return { dueBelowSec, guaranteedLifeSec: Math.max(0, dueBelowSec - 2 * SWEEP_INTERVAL_SEC) };
}

/** A sweep may start up to a minute early. */
const EARLY_SWEEP_MS = 60_000;

/**
 * How long before its expiry, in ms, a token can be renewed without using up the write budget of its secret. Negative if it must
 * stay expired for a while. Times in ms since the epoch.
 */
export function affordableMs(issuedAtMs: number, expiresAtMs: number): number {
  return expiresAtMs - issuedAtMs - RENEWAL_SPACING_SEC * 1000 + EARLY_SWEEP_MS;
}

/** The shortest time to expiry of a token as long as no sweep is missed, just before one renews it. */
export const MIN_NORMAL_LIFE_SEC = DUE_BELOW_SEC - SWEEP_INTERVAL_SEC;

/** How long the restore API's authorizer caches accepted secrets, and so may still accept a revoked credential. */
export const MAX_REVOKED_ACCEPTED_SEC = 10;

/** Default cache time of the usual reader, the AWS Parameters and Secrets Lambda extension (SECRETS_MANAGER_TTL). */
export const DEFAULT_READER_CACHE_SEC = 300;
