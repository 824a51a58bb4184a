import { type FindingKind } from './finding-kinds';
import { type CredentialKind } from './secret-names';
import { type EnsureErrorCode } from './token-refresh';

/** Namespace of every metric that the functions write. */
export const METRIC_NAMESPACE = 'Latchkey';

/*
 * Every metric has the dimensions `environment` and `platformRegion`, and unit Count unless METRIC_UNITS says otherwise.
 * Few have a further dimension, since each series costs: only where an alarm needs to tell its values apart.
 */

/**
 * The token functions' metrics.
 * - `TokenRenewed`, `TokenRenewalFailed`: renewals by outcome. A tenant that was never loaded does not fail.
 * - `TokenRequest`: requests sent to the platform's token endpoints, repetitions included.
 * - `TokenWriteRefused`: writes of a token that the store, or the write budget, refused.
 * - `TokenFault` with the dimension `code`: see {@link TokenFault}.
 * - `TokenLifeLeft`: at the end of a sweep, of the token that ends first, never below 0; 0 also for a token that is
 *   missing though its credential is loaded. Tokens of a credential that the platform refuses are left out, for
 *   `CredentialRefused` tells of them. Not sent where no token is known.
 * - `SweepDuration`: of each sweep that ended.
 * - `CredentialRefused` with the dimension `tenantId`: 1 in each sweep in which the platform refused the tenant's
 *   credential or a scope, or the secret holds no credential; else not sent, so that a series costs only while it is used.
 */
export const TOKEN_METRICS = [
  'TokenRenewed',
  'TokenRenewalFailed',
  'TokenRequest',
  'TokenWriteRefused',
  'TokenFault',
  'TokenLifeLeft',
  'SweepDuration',
  'CredentialRefused',
] as const;
export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** Finer classes of faults than the codes that callers are told. */
export const FINER_TOKEN_FAULTS = [
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

/**
 * What a renewal met, whether it failed of it or got over it: the dimension `code` of `TokenFault`, which counts each
 * renewal that met a fault once. Finer than what callers are told, for alarms: the faults that only a human can mend
 * are apart from those that pass.
 */
export type TokenFault = EnsureErrorCode | (typeof FINER_TOKEN_FAULTS)[number];

/** Faults of a tenant's credential: only another one, or another right, ends them. `CredentialRefused` tells of them by tenant. */
export const REFUSAL_FAULTS = [
  'credential_refused',
  'scope_refused',
  'credential_malformed',
] as const satisfies TokenFault[];

/**
 * The restore function's metrics: each answer is one of the first six, and has a `RestoreLatency` unless it is
 * `RestoreWithoutToken`.
 * - `RestoreRefused`: a 4xx. - `RestoreNotOffered`: 501. - `RestoreWithoutToken`: no token could be had, of which the
 *   token alarms tell, so those of restores leave it out, with the time that was waited for it. - `RestoreFailed`: any
 *   other 5xx of which it is certain that nothing was modified. - `RestoreOutcomeUnknown`: 500 or 504 with the code
 *   `outcome_unknown`.
 */
export const RESTORE_METRICS = [
  'Restored',
  'RestoreRefused',
  'RestoreNotOffered',
  'RestoreWithoutToken',
  'RestoreFailed',
  'RestoreOutcomeUnknown',
  'RestoreLatency',
] as const;
export type RestoreMetric = (typeof RESTORE_METRICS)[number];

/** What became of rotations. One a run; `RotationFailed` is whatever is no other's. */
export const ROTATION_METRICS = [
  'RotationSucceeded',
  'RotationRefused',
  'RotationUntested',
  'RotationCandidateMissing',
  'RotationFailed',
] as const;
export type RotationMetric = (typeof ROTATION_METRICS)[number];

/**
 * Of credential-watch, at each look.
 * - `WatchRun`.
 * - `Finding` with the dimension `code`: how often each kind was found. Of {@link ALARMED_FINDINGS} also 0, so that an
 *   alarm ends at the next look, unless a secret could not be looked at; another kind is not sent unless it was found.
 * - `CredentialAge` with the dimension `kind`: days for which the oldest current credential of the kind is current.
 * - `DaysToExpiry` with the dimension `kind`, `api-key`: days until the first API key ends, never below 0.
 * - `CredentialAttention` with the dimension `tenantId`: how many findings about the tenant's credentials want a person,
 *   0 included, unless a secret of them could not be looked at. Not sent for a tenant of whom nothing was ever loaded.
 */
export const WATCH_METRICS = [
  'WatchRun',
  'Finding',
  'CredentialAge',
  'DaysToExpiry',
  'CredentialAttention',
] as const;
export type WatchMetric = (typeof WATCH_METRICS)[number];

/** Kinds that an alarm counts. */
export const ALARMED_FINDINGS = [
  'candidate_refused',
  'candidate_untested',
  'candidate_waiting',
  'candidate_left_behind',
  'pending_left_behind',
] as const satisfies FindingKind[];

export type Metric = TokenMetric | RestoreMetric | RotationMetric | WatchMetric;

/** Units, as CloudWatch names them, of the metrics that count nothing. CloudWatch knows no days. */
export const METRIC_UNITS: Partial<Record<Metric, 'Seconds' | 'Milliseconds' | 'None'>> = {
  TokenLifeLeft: 'Seconds',
  SweepDuration: 'Milliseconds',
  RestoreLatency: 'Milliseconds',
  CredentialAge: 'None',
  DaysToExpiry: 'None',
};

/** The one dimension that a metric may have besides the deployment's. */
export type MetricDimension =
  { code: TokenFault | FindingKind } | { kind: CredentialKind } | { tenantId: string };
