import { ENSURE_ERROR_CODES } from './token-refresh';

/** Namespace of every metric that the functions write. */
export const METRIC_NAMESPACE = 'Latchkey';

/**
 * The token functions' metrics, all of unit Count with the dimensions `environment` and `platformRegion`.
 * `TokenFault` has a third one, `code`: see {@link TOKEN_FAULTS}.
 */
export const TOKEN_METRICS = ['TokenRenewed', 'TokenRenewalFailed', 'TokenRequest', 'TokenFault'] as const;
export type TokenMetric = (typeof TOKEN_METRICS)[number];

/**
 * What a renewal met, whether it failed of it or got over it: the dimension `code` of `TokenFault`, which counts each
 * renewal that met a fault once. Finer than what callers are told, for alarms: the faults that only a human can mend
 * are apart from those that pass.
 */
export const TOKEN_FAULTS = [
  ...ENSURE_ERROR_CODES,
  /** The token endpoint is not who it should be, or speaks no TLS 1.2. */
  'tls_failed',
  'redirected',
  /** The answer named no life, so that one was assumed. */
  'life_assumed',
  /** The platform's clock and ours are more than a minute apart. */
  'clock_skew',
  /** The secret of the client credentials holds something else. */
  'credential_malformed',
  /** Someone else wrote the token secret in between. */
  'write_conflict',
  'store_throttled',
  'store_access_denied',
  'store_not_found',
  'store_scheduled_for_deletion',
  'store_limit_exceeded',
  'store_malformed',
] as const;
export type TokenFault = (typeof TOKEN_FAULTS)[number];

/** The restore function's metrics, with the same unit and dimensions. */
export const RESTORE_METRICS = ['Restored', 'RestoreRefused', 'RestoreOutcomeUnknown'] as const;
export type RestoreMetric = (typeof RESTORE_METRICS)[number];

/** What became of rotations, with the same unit and dimensions. One a run; `RotationFailed` is whatever is no other's. */
export const ROTATION_METRICS = [
  'RotationSucceeded',
  'RotationRefused',
  'RotationUntested',
  'RotationCandidateMissing',
  'RotationFailed',
] as const;
export type RotationMetric = (typeof ROTATION_METRICS)[number];

/**
 * Of credential-watch, with the same unit and dimensions: `WatchRun` each time that it looked, and `Finding` with a third
 * dimension, `code`, the kind of the finding. A kind that was not found is not sent: a series costs only once it is used.
 */
export const WATCH_METRICS = ['WatchRun', 'Finding'] as const;
export type WatchMetric = (typeof WATCH_METRICS)[number];

export type Metric = TokenMetric | RestoreMetric | RotationMetric | WatchMetric;
