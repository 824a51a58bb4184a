import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../core/deployment/deployment-file';
import { MAX_UNSEEN_MS } from '../../core/events/secret-change';
import { SWEEP_INTERVAL_SEC } from '../../core/tokens/lifetimes';
import { ALARMED_FINDINGS } from '../../core/alarms/metrics';
import { CREDENTIAL_KINDS } from '../../core/secrets/secret-names';
import { type DeploymentConfiguration } from '../options/schema';
import { sum } from './sum';

/** AWS's price pages count a month as 730 hours. */
const HOURS_PER_MONTH = 730;
const DAYS_PER_MONTH = HOURS_PER_MONTH / 24;

const SWEEPS_PER_DAY = (24 * 3600) / SWEEP_INTERVAL_SEC;
/** token-sweep looks for abandoned rotations every six hours. */
const ROTATION_CHECKS_PER_DAY = 4;
/** rotate-credentials looks for unproven API keys as often as tokens are renewed, and tries all keys every six hours. */
const PROOF_RUNS_PER_DAY = SWEEPS_PER_DAY;
const FULL_PROOFS_PER_DAY = 4;
/** With `trailEvents`, a run describes a key only after a change, after MAX_UNSEEN_MS without one, and to try all keys. */
const TRAIL_PROOF_CHECKS_PER_DAY = (24 * 3600 * 1000) / MAX_UNSEEN_MS + FULL_PROOFS_PER_DAY;
/** credential-watch runs every six hours. */
const WATCH_RUNS_PER_DAY = 4;
/** Maximum in normal operation: a token is valid for 60 minutes and renewed once less than 20 are left. */
const RENEWALS_PER_DAY = 36;
/** A sweep reads a token again after 15 minutes, in case that another writer has replaced it. */
const READS_BETWEEN_RENEWALS = 2;
/** Lambda replaces a process after a few hours; the new one reads each token once. */
const PROCESSES_PER_DAY = 12;

/**
 * Lambda receives from a quiet queue with five pollers, each of which waits 20 seconds.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
 */
const POLLS_PER_HOUR = (5 * 3600) / 20;

/**
 * Tokens that one deployment keeps fresh for each token request per second, by simulations with answers of up to four seconds
 * (docs/limits.md). A sweep runs for four of every five minutes, and renews a token every 40 minutes.
 */
const TOKENS_PER_REQUEST_PER_SEC = 1_200;

export interface Size {
  tenants: number;
  tokens: number;
  /** API keys that open the restore API, which rotate-credentials proves. */
  apiKeys: number;
  /** @default false */
  fullMonitoring?: boolean;
  /** @default false */
  trailEvents?: boolean;
  /** Maximum rate of token requests in a sweep, and so of its writes. */
  tokenRequestsPerSec: number;
}

/** Secrets Manager calls per day, by operation. */
export interface SecretCalls {
  /** Values, although one call reads up to 20: AWS logs each value as a call. */
  BatchGetSecretValue: number;
  DescribeSecret: number;
  GetSecretValue: number;
  ListSecretVersionIds: number;
  PutSecretValue: number;
}

/** Upper bound of a deployment's monthly usage, without failures, rotations and restores. */
export interface MonthlyUse {
  secretCalls: number;
  keyRequests: number;
  /** Renewals of tokens. With `events`, each sends one event. Events about credentials are too few to count. */
  renewals: number;
  /** Requests that Lambda sends to receive changes of secrets. */
  queueRequests: number;
  /** Custom metrics, each weighted by the share of hours in which it has data. */
  metricSeries: number;
}

/** The size of a deployment, from its declared tenants and tokens. */
export function sizeOf({
  tenants,
  restoreApi,
  fullMonitoring,
  trailEvents,
  tokenRequestsPerSec = DEFAULT_TOKEN_REQUESTS_PER_SEC,
}: Pick<
  DeploymentConfiguration,
  'tenants' | 'restoreApi' | 'fullMonitoring' | 'trailEvents' | 'tokenRequestsPerSec'
>): Size {
  return {
    tenants: tenants.length,
    tokens: sum(tenants.map((tenant) => tenant.tokens.length)),
    apiKeys: restoreApi.enabled && restoreApi.auth === 'platform' ? tenants.length : 0,
    fullMonitoring,
    trailEvents,
    tokenRequestsPerSec,
  };
}

/** Tokens that a deployment keeps fresh. */
export function maxTokens({ tokenRequestsPerSec }: Pick<Size, 'tokenRequestsPerSec'>): number {
  return TOKENS_PER_REQUEST_PER_SEC * tokenRequestsPerSec;
}

/**
 * Calls of token-sweep: one per client credential in each sweep, three per renewal, and one per credential in each check
 * for abandoned rotations. An upper bound: tokens that are renewed within ten seconds share a read of their credential.
 * With `trailEvents`, only a new process checks credentials and tokens between renewals.
 */
export function sweepCallsPerDay({
  tenants,
  tokens,
  trailEvents = false,
}: Pick<Size, 'tenants' | 'tokens' | 'trailEvents'>): SecretCalls {
  const checks = trailEvents ? PROCESSES_PER_DAY : SWEEPS_PER_DAY;
  const readsBetween = trailEvents ? 0 : READS_BETWEEN_RENEWALS;
  return {
    BatchGetSecretValue: 0,
    DescribeSecret: (checks + ROTATION_CHECKS_PER_DAY * CREDENTIAL_KINDS.length) * tenants,
    GetSecretValue: ((2 + readsBetween) * RENEWALS_PER_DAY + PROCESSES_PER_DAY) * tokens,
    ListSecretVersionIds: 0,
    PutSecretValue: RENEWALS_PER_DAY * tokens,
  };
}

/**
 * Calls of credential-watch: it describes each credential, and reads each API key and token. The tokens say when their
 * credential was created.
 */
export function watchCallsPerDay({ tenants, tokens }: Pick<Size, 'tenants' | 'tokens'>): SecretCalls {
  return {
    BatchGetSecretValue: WATCH_RUNS_PER_DAY * (tenants + tokens),
    DescribeSecret: WATCH_RUNS_PER_DAY * CREDENTIAL_KINDS.length * tenants,
    GetSecretValue: 0,
    ListSecretVersionIds: 0,
    PutSecretValue: 0,
  };
}

/** Calls of rotate-credentials for API keys that are proven: it describes each in each run, and reads it to try it again. */
export function proofCallsPerDay({
  apiKeys,
  trailEvents = false,
}: Pick<Size, 'apiKeys' | 'trailEvents'>): SecretCalls {
  const checks = trailEvents ? TRAIL_PROOF_CHECKS_PER_DAY : PROOF_RUNS_PER_DAY;
  return {
    BatchGetSecretValue: 0,
    DescribeSecret: (checks + FULL_PROOFS_PER_DAY) * apiKeys,
    GetSecretValue: FULL_PROOFS_PER_DAY * apiKeys,
    ListSecretVersionIds: 0,
    PutSecretValue: 0,
  };
}

/** Metrics that CloudWatch gets from sweeps every hour: `SweepDuration`. With `fullMonitoring` also `TokenRenewed`, `TokenRequest` and `TokenLifeLeft`. */
export function sweepSeries({ fullMonitoring }: Pick<Size, 'fullMonitoring'>): number {
  return fullMonitoring === true ? 4 : 1;
}

/**
 * Metrics that CloudWatch gets from each run of credential-watch: `WatchRun`, `CredentialAge`, `DaysToExpiry` of API keys; in one
 * run of a day also `CredentialAttention` of each tenant. With `fullMonitoring` also `Finding` of each kind with an alarm, and `CredentialAge` of each kind of
 * credential.
 */
export function watchSeries({ fullMonitoring }: Pick<Size, 'fullMonitoring'>): number {
  return 3 + (fullMonitoring === true ? ALARMED_FINDINGS.length + CREDENTIAL_KINDS.length : 0);
}

/** Metrics that the restore function emits in each run of credential-watch: `RestoreAvailabilityMismatch`. */
const PROBE_SERIES = 1;

/** Number of adopted secrets, which are not in the templates. */
export function adoptedSecrets({ tenants }: Pick<DeploymentConfiguration, 'tenants'>): number {
  return tenants.flatMap(({ adopt }) => Object.values(adopt).filter((arn) => arn !== undefined)).length;
}

export function monthlyUseOf(size: Size): MonthlyUse {
  const daily = [sweepCallsPerDay(size), watchCallsPerDay(size), proofCallsPerDay(size)];
  const values = daily.map(
    ({ BatchGetSecretValue, GetSecretValue, PutSecretValue }) =>
      BatchGetSecretValue + GetSecretValue + PutSecretValue,
  );
  return {
    secretCalls: DAYS_PER_MONTH * sum(daily.flatMap((calls) => Object.values(calls) as number[])),
    // Secrets Manager calls KMS once per value that it reads or writes, and not to describe a secret.
    keyRequests: DAYS_PER_MONTH * sum(values),
    renewals: DAYS_PER_MONTH * RENEWALS_PER_DAY * size.tokens,
    queueRequests: size.trailEvents === true ? queuesOf(size) * POLLS_PER_HOUR * HOURS_PER_MONTH : 0,
    metricSeries:
      sweepSeries(size) + ((watchSeries(size) + PROBE_SERIES) * WATCH_RUNS_PER_DAY + size.tenants) / 24,
  };
}

/** The queue of token-sweep, and that of rotate-credentials if API keys open the restore API. */
function queuesOf({ apiKeys }: Pick<Size, 'apiKeys'>): number {
  return apiKeys > 0 ? 2 : 1;
}

/** Writes per second while a sweep renews every token, as the first one does. */
export function maxWritesPerSec({ tokens, tokenRequestsPerSec }: Size): number {
  return Math.min(tokens, tokenRequestsPerSec);
}
