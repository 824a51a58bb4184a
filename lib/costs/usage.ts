import { SWEEP_INTERVAL_SEC } from '../../contract/lifetimes';
import { ALARMED_FINDINGS } from '../../contract/metrics';
import { CREDENTIAL_KINDS } from '../../contract/secret-names';
import { type DeploymentConfiguration } from '../config/schema';
import { sum } from './sum';

/** What AWS's price pages take for a month. */
const HOURS_PER_MONTH = 730;
export const DAYS_PER_MONTH = HOURS_PER_MONTH / 24;

const SWEEPS_PER_DAY = (24 * 3600) / SWEEP_INTERVAL_SEC;
/** One every six hours. */
const LOOKS_PER_DAY = 4;
/** At most, in normal running: a token lives 60 minutes, and is renewed by the first sweep that finds less than 20 left. */
export const RENEWALS_PER_DAY = 36;
/** Writes of one token in 24 hours, whatever happens: token-refresh refuses more. */
export const MOST_WRITES_PER_DAY = 96;
/** Lambda replaces a process after hours, and the next one has to read each token once. */
const PROCESSES_PER_DAY = 12;

/** Renewals at once in a sweep: one for each credential and token endpoint, so many in all. */
const MOST_RENEWALS_AT_ONCE = 8;
/** Secrets at once in a look of credential-watch. */
const MOST_LOOKS_AT_ONCE = 25;

/** What is assumed of times, in ms: of a call of Secrets Manager, of a token request, and of a run around its calls. */
const CALL_MS = 20;
const TOKEN_REQUEST_MS = 200;
const RUN_MS = 200;
/** A renewal reads the token and the credential, requests a token and writes it. */
const RENEWAL_MS = 3 * CALL_MS + TOKEN_REQUEST_MS;

/** What a run logs, with Lambda's own lines, and what a line of metrics takes, in bytes. */
const RUN_LOG_BYTES = 2_000;
const METRIC_LINE_BYTES = 400;
const BYTES_PER_GB = 1e9;

/** How large a deployment is. */
export interface Size {
  tenants: number;
  tokens: number;
  /** Pairs of a tenant and an interface, which are what a sweep works off beside each other. */
  groups: number;
}

/** The tokens of each tenant, as configuration and the functions' own file declare them. */
interface Declared {
  tenants: readonly { tokens: readonly { interface: string }[] }[];
}

/** Calls of Secrets Manager in a day, by operation. */
export interface SecretCalls {
  DescribeSecret: number;
  GetSecretValue: number;
  ListSecretVersionIds: number;
  PutSecretValue: number;
}

/** What a deployment uses in a month in which nothing fails, nobody rotates and nobody restores: an upper bound. */
export interface MonthlyUse {
  secretCalls: number;
  keyRequests: number;
  /** Invocations by a schedule. */
  runs: number;
  /** All runs together, in seconds. */
  runSec: number;
  /** Series of custom metrics, each for the part of the month in whose hours it is sent. */
  metricSeries: number;
  logGb: number;
}

/** Counts what configuration declares. */
export function sizeOf({ tenants }: Declared): Size {
  const tokens = tenants.map((tenant) => tenant.tokens);
  return {
    tenants: tenants.length,
    tokens: tokens.flat().length,
    groups: tokens.flatMap((ofTenant) => [...new Set(ofTenant.map((token) => token.interface))]).length,
  };
}

/** Of token-sweep: a look at each credential in each sweep, and three calls for each renewal. */
export function sweepCallsPerDay({ tenants, tokens }: Size): SecretCalls {
  return {
    DescribeSecret: SWEEPS_PER_DAY * tenants,
    GetSecretValue: (2 * RENEWALS_PER_DAY + PROCESSES_PER_DAY) * tokens,
    ListSecretVersionIds: 0,
    PutSecretValue: RENEWALS_PER_DAY * tokens,
  };
}

/**
 * Of credential-watch: a look at each secret, at the times of versions where the credential's own do not tell, and at
 * each API key's and token's value.
 */
export function watchCallsPerDay({ tenants, tokens }: Size): SecretCalls {
  return {
    DescribeSecret: LOOKS_PER_DAY * CREDENTIAL_KINDS.length * tenants,
    GetSecretValue: LOOKS_PER_DAY * (tenants + tokens),
    ListSecretVersionIds: LOOKS_PER_DAY * CREDENTIAL_KINDS.length * tenants,
    PutSecretValue: 0,
  };
}

/** Series that sweeps send in every hour: `TokenRenewed`, `TokenRequest`, `TokenLifeLeft`, `SweepDuration`. */
export const SWEEP_SERIES = 4;

/**
 * Series that each look sends: `WatchRun`, `Finding` of each kind with an alarm, `CredentialAge` of each kind of
 * credential, `DaysToExpiry` of API keys, and `CredentialAttention` of each tenant.
 */
export function watchSeries({ tenants }: Size): number {
  return 1 + ALARMED_FINDINGS.length + CREDENTIAL_KINDS.length + 1 + tenants;
}

/** Secrets that the templates do not hold, since they were there before. */
export function adoptedSecrets({ tenants }: Pick<DeploymentConfiguration, 'tenants'>): number {
  return tenants.flatMap(({ adopt }) => Object.values(adopt).filter((arn) => arn !== undefined)).length;
}

/** What the functions of such a deployment use. */
export function monthlyUseOf(size: Size): MonthlyUse {
  const daily = [sweepCallsPerDay(size), watchCallsPerDay(size)];
  const values = daily.map(({ GetSecretValue, PutSecretValue }) => GetSecretValue + PutSecretValue);
  const watchLogBytes = RUN_LOG_BYTES + METRIC_LINE_BYTES * watchSeries(size);
  return {
    secretCalls: DAYS_PER_MONTH * sum(daily.flatMap((calls) => Object.values(calls) as number[])),
    // Secrets Manager asks for one data key for each value that it reads or writes, and for none to describe a secret.
    keyRequests: DAYS_PER_MONTH * sum(values),
    runs: DAYS_PER_MONTH * (SWEEPS_PER_DAY + LOOKS_PER_DAY),
    runSec: (DAYS_PER_MONTH * (SWEEPS_PER_DAY * sweepMs(size) + LOOKS_PER_DAY * watchMs(size))) / 1000,
    metricSeries: SWEEP_SERIES + (watchSeries(size) * LOOKS_PER_DAY) / 24,
    logGb: (DAYS_PER_MONTH * (SWEEPS_PER_DAY * RUN_LOG_BYTES + LOOKS_PER_DAY * watchLogBytes)) / BYTES_PER_GB,
  };
}

function sweepMs({ tenants, tokens, groups }: Size): number {
  const renewals = (tokens * RENEWALS_PER_DAY) / SWEEPS_PER_DAY;
  return RUN_MS + (tenants * CALL_MS + renewals * RENEWAL_MS) / renewalsAtOnce(groups);
}

function watchMs(size: Size): number {
  const calls = sum(Object.values(watchCallsPerDay(size)) as number[]) / LOOKS_PER_DAY;
  return RUN_MS + (calls * CALL_MS) / MOST_LOOKS_AT_ONCE;
}

function renewalsAtOnce(groups: number): number {
  return Math.min(MOST_RENEWALS_AT_ONCE, Math.max(1, groups));
}

/** Writes a second while every token of the deployment is renewed, as in the first sweep. */
export function mostWritesPerSec({ groups }: Size): number {
  return (renewalsAtOnce(groups) * 1000) / RENEWAL_MS;
}

/** Reads a second of the fastest reader, which is credential-watch. */
export function mostReadsPerSec({ tenants, tokens }: Size): number {
  const secrets = CREDENTIAL_KINDS.length * tenants + tokens;
  return (Math.min(MOST_LOOKS_AT_ONCE, secrets) * 1000) / CALL_MS;
}
