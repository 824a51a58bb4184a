import { type FindingKind } from '../findings/finding-kinds';
import { MIN_NORMAL_LIFE_SEC } from '../tokens/lifetimes';
import { type CredentialKind, DEFAULT_PREFIX } from '../secrets/secret-names';
import { type DeploymentKey } from '../tokens/token-key';
import { type EnsureErrorCode } from '../tokens/token-refresh';

/** Namespace of every metric that the functions write. */
export const METRIC_NAMESPACE = 'Latchkey';

/** A deployment and the prefix of its names. */
export type MeasuredDeployment = DeploymentKey & {
  /** @default latchkey */
  prefix?: string;
  /** Whether CloudWatch gets every metric, not only those that alarms need. @default false */
  fullMonitoring?: boolean;
};

/**
 * The dimensions that every metric of a deployment has. Another prefix than `latchkey` is one of them: otherwise the metrics
 * of two prefixes in one account would be one series, and one's data would hide the other's silence.
 */
export function deploymentDimensions({
  prefix = DEFAULT_PREFIX,
  issuer,
  environment,
  platformRegion,
}: MeasuredDeployment): Record<string, string> {
  return {
    ...(prefix !== DEFAULT_PREFIX && { prefix }),
    ...(issuer !== undefined && { issuer }),
    environment,
    ...(platformRegion !== undefined && { platformRegion }),
  };
}

/*
 * Every metric has unit Count unless METRIC_UNITS says otherwise. Each series costs money, so a metric has another dimension
 * than the deployment's only if an alarm needs it.
 */

/**
 * The token functions' metrics.
 * - `TokenRenewed`, `TokenRenewalFailed`: renewals by outcome. A tenant without a loaded credential does not count. A token
 *   that a former credential obtained counts as both.
 * - `TokenRequest`: requests sent to the platform's token endpoints, including retries.
 * - `TokenRequestExcess`: requests of successful renewals beyond one per token in each {@link MIN_RENEWAL_INTERVAL_MS}. Sent only
 *   above 0.
 * - `TokenWriteRefused`: token writes that Secrets Manager or the write budget refused.
 * - `TokenFault` with the dimension `code`: see {@link TokenFault}.
 * - `TokenBlocked`: renewals that met one of {@link BLOCKING_FAULTS}, and sweeps that found `life_short`.
 * - `TokenLifeLeft`: at the end of a sweep, the time to the first token's expiry, at least 0; also 0 if a token is missing
 *   although its credential is loaded. Leaves out tokens whose credential the platform refuses, which
 *   `CredentialRefused` reports. Not sent if no token is known.
 * - `SweepDuration`: duration of each finished sweep.
 * - `EventFailed`: attempts to send an event to EventBridge that failed, also those of rotate-credentials. Only with `events`.
 * - `CredentialRefused` with the dimension `tenantId`: 1 for each sweep in which the platform refused the tenant's
 *   credential or a scope, or the secret does not hold a credential. Also 1 for each run of rotate-credentials in which the
 *   platform refused the current API key, or could not be asked about one that was never proven. Otherwise not sent, to save
 *   the cost of the series.
 */
export const TOKEN_METRICS = [
  'TokenRenewed',
  'TokenRenewalFailed',
  'TokenRequest',
  'TokenRequestExcess',
  'TokenWriteRefused',
  'TokenFault',
  'TokenBlocked',
  'TokenLifeLeft',
  'SweepDuration',
  'EventFailed',
  'CredentialRefused',
] as const;
export type TokenMetric = (typeof TOKEN_METRICS)[number];

/** Faults that the metrics distinguish, but the error codes do not. */
export const FINER_TOKEN_FAULTS = [
  /** The token endpoint's certificate is invalid, or it does not support TLS 1.2. */
  'tls_failed',
  /** The proxy opened no tunnel to the token endpoint. */
  'proxy_failed',
  /** The proxy refuses the tunnel until a person changes its rules or the credentials for it. */
  'proxy_refused',
  'redirected',
  /** The response had no expires_in, so a lifetime was assumed. */
  'life_assumed',
  /** A stored token was issued for too short a time to keep the promise to readers (lifetimes.ts); counted in each sweep. */
  'life_short',
  /** The platform's clock and the function's differ by more than a minute. */
  'clock_skew',
  /** The client-credentials secret does not hold client credentials. */
  'credential_malformed',
  /** Another writer changed the token secret in the meantime. */
  'write_conflict',
  'store_throttled',
  'store_access_denied',
  'store_not_found',
  'store_scheduled_for_deletion',
  'store_limit_exceeded',
  'store_malformed',
] as const;

/**
 * The dimension `code` of `TokenFault`, which counts each renewal that met a fault once, whether it failed or recovered.
 * Finer than the error codes, so that alarms can separate the faults that a person must fix from those that pass.
 */
export type TokenFault = EnsureErrorCode | (typeof FINER_TOKEN_FAULTS)[number];

/** Faults that last until the tenant's credential or its scopes change. `CredentialRefused` reports them by tenant. */
export const REFUSAL_FAULTS = [
  'credential_refused',
  'scope_refused',
  'credential_malformed',
] as const satisfies TokenFault[];

/** Faults of a deployment, not of one tenant, that last until a person fixes them. */
export const BLOCKING_FAULTS = [
  'tls_failed',
  'redirected',
  'store_access_denied',
  'store_scheduled_for_deletion',
  'store_malformed',
  'proxy_refused',
  'life_short',
] as const satisfies TokenFault[];

/**
 * A renewal of a younger token counts as excess. In normal operation a token is renewed every 40 minutes.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_PutSecretValue.html (at most every 10 minutes)
 */
export const MIN_RENEWAL_INTERVAL_MS = 10 * 60_000;

/**
 * The restore function's metrics. Each response counts as one of the first six, and has a `RestoreLatency` unless it
 * counts as `RestoreWithoutToken`.
 * - `RestoreRefused`: a 4xx.
 * - `RestoreNotOffered`: 501.
 * - `RestoreWithoutToken`: no token was available. The token alarms report that, so the restore alarms leave it out.
 * - `RestoreFailed`: any other 5xx that certainly modified nothing.
 * - `RestoreOutcomeUnknown`: 500 or 504 with the code `outcome_unknown`.
 * - `RestoreNotCounted`: `RestoreNotOffered` and `RestoreWithoutToken` together, which `restore-errors` leaves out.
 * - `RestoreAvailabilityMismatch`: whether the platform's offer contradicts `restore.available`, 1 or 0, each time that the
 *   restore function found out.
 */
export const RESTORE_METRICS = [
  'Restored',
  'RestoreRefused',
  'RestoreNotOffered',
  'RestoreWithoutToken',
  'RestoreFailed',
  'RestoreOutcomeUnknown',
  'RestoreNotCounted',
  'RestoreLatency',
  'RestoreAvailabilityMismatch',
] as const;
export type RestoreMetric = (typeof RESTORE_METRICS)[number];

/** The outcome of each rotation. `RotationFailed` counts every failure that has no metric of its own. */
export const ROTATION_METRICS = [
  'RotationSucceeded',
  'RotationRefused',
  'RotationUntested',
  'RotationCandidateMissing',
  'RotationFailed',
] as const;
export type RotationMetric = (typeof ROTATION_METRICS)[number];

/**
 * The metrics of credential-watch, recorded on each run.
 * - `WatchRun`: 1.
 * - `Finding` with the dimension `code`: number of findings of each kind. Kinds of {@link ALARMED_FINDINGS} are also sent
 *   as 0, so that their alarms return to OK, unless a secret could not be inspected. Other kinds are sent only if found.
 * - `CredentialAge`: age in days of the oldest current credential; with the dimension `kind`, of that kind.
 * - `DaysToExpiry` with the dimension `kind`, `api-key`: days until the first API key expires, at least 0.
 * - `CredentialAttention` with the dimension `tenantId`: number of findings about the tenant's credentials that need a
 *   person, including 0. Not sent if one of its secrets could not be inspected, or if nothing was ever loaded.
 */
export const WATCH_METRICS = [
  'WatchRun',
  'Finding',
  'CredentialAge',
  'DaysToExpiry',
  'CredentialAttention',
] as const;
export type WatchMetric = (typeof WATCH_METRICS)[number];

/** Kinds of findings that have an alarm with `fullMonitoring`. */
export const ALARMED_FINDINGS = [
  'candidate_refused',
  'candidate_untested',
  'candidate_waiting',
  'candidate_left_behind',
  'pending_left_behind',
] as const satisfies FindingKind[];

export type Metric = TokenMetric | RestoreMetric | RotationMetric | WatchMetric;

/** CloudWatch units of the metrics that are not counts. CloudWatch has no unit for days. */
export const METRIC_UNITS: Partial<Record<Metric, 'Seconds' | 'Milliseconds' | 'None'>> = {
  TokenLifeLeft: 'Seconds',
  SweepDuration: 'Milliseconds',
  RestoreLatency: 'Milliseconds',
  CredentialAge: 'None',
  DaysToExpiry: 'None',
};

/** The one dimension that a metric can have besides those of the deployment. */
export type MetricDimension =
  { code: TokenFault | FindingKind } | { kind: CredentialKind } | { tenantId: string };

/** Metrics that no alarm needs, and that have data in normal operation. */
const ONLY_LOGGED: readonly Metric[] = [
  'TokenRenewed',
  'TokenRequest',
  'Restored',
  'RestoreRefused',
  'RestoreNotOffered',
  'RestoreWithoutToken',
  'RestoreFailed',
];

/**
 * Whether CloudWatch gets a value without `fullMonitoring`. The others are only in the log, since a metric costs money in each
 * hour with data.
 * @see docs/decisions/0047-what-an-alarm-costs.md
 */
export function isNeeded(metric: Metric, value: number, dimension?: MetricDimension): boolean {
  if (metric === 'TokenLifeLeft') return value < MIN_NORMAL_LIFE_SEC;
  if (metric === 'Finding') return value > 0;
  if (metric === 'CredentialAge') return dimension === undefined;
  return !ONLY_LOGGED.includes(metric);
}
