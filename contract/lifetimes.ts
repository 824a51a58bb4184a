/**
 * The times that make a promise to readers: a stored token has at least {@link GUARANTEED_LIFE_SEC} left in normal
 * running, even after one missed sweep.
 */

/** A token is renewed once it has less than this left (a jitter of up to {@link DUE_JITTER_SEC} comes on top). */
export const DUE_BELOW_SEC = 20 * 60;
export const DUE_JITTER_SEC = 60;

/** Time between two sweeps. */
export const SWEEP_INTERVAL_SEC = 5 * 60;

/** What a sweep may just have passed over, less the interval to the next sweep and one that is missed. */
export const GUARANTEED_LIFE_SEC = DUE_BELOW_SEC - 2 * SWEEP_INTERVAL_SEC;

/** The restore API's authorizer believes what it has looked up for so long: by then a revoked credential has ended there. */
export const REVOKED_ENDS_WITHIN_SEC = 10;

/** The cache of the AWS Parameters and Secrets Lambda extension (SECRETS_MANAGER_TTL): the usual reader's. */
export const USUAL_READER_CACHE_SEC = 300;
