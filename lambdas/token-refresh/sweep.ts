import {
  DEFAULT_TOKEN_REQUESTS_PER_SEC,
  type DeploymentFile,
  parallelRenewals,
} from '../../core/deployment/deployment-file';
import { mapConcurrently } from '../../core/calls/map-concurrently';
import { type TenantKey, tenantKeyOf, tokenKeyOf, tokenKeyText } from '../../core/tokens/token-key';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { PlatformUnavailableError } from '../../core/tokens/token-errors';
import { type Log } from '../shared/ports';
import { type TokenReport } from './record-sweep-metrics';
import { NO_VERSION, type RefreshMemory, tenantAtInterface } from './refresh-memory';
import { WRITE_RESERVE_MS } from './mint-token';
import { asTokenError, type RefreshTokenPorts, renewalDeadlineMs } from './refresh-token';
import { RequestPace } from './request-pace';
import { renewBeforeMsOf, byUrgency, groupsInTurn, type SweptToken } from './sweep-order';
import { reportSweep } from './sweep-report';
import { type CredentialVersion, type SweepTimes, sweepToken, withoutTurn } from './sweep-token';
import { SweptCredentials } from './swept-credentials';

/** Share of a sweep's requests that the plan uses. The rest is for failures, and for requests of token-refresh. */
const PLANNED_SHARE = 0.85;
const PARALLEL_READS = 32;
/** Share of a sweep in which a new process reads tokens. */
const READING_SHARE = 0.25;
/**
 * Minimum time to start a renewal: a slow answer, and the write. With less, a token may be issued and never stored. A short
 * sweep starts renewals in its first half.
 */
const MIN_RENEWAL_MS = 6_500;
/** Time limit to read a credential's version, which leaves time for a renewal without it. */
const VERSION_TIMEOUT_MS = 4_000;
/** Longest wait for the write budget: a write leaves it after 24 hours, which may be some seconds into a sweep. */
const MAX_BUDGET_WAIT_MS = 60_000;

type SweepPorts = RefreshTokenPorts & { credentials: SweptCredentials };

interface Sweep {
  ports: SweepPorts;
  tokens: readonly SweptToken[];
  times: SweepTimes;
  /** Number of groups that are renewed at the same time. */
  parallel: number;
  versionOfCredential: (tenant: TenantKey) => Promise<CredentialVersion>;
  /** By the token's name: the latest result. */
  reports: Map<string, TokenReport>;
}

/**
 * Renews every token of the deployment that is due, or that a retired credential obtained. A failing tenant never stops the
 * others. If a credential's version cannot be read, its tokens are renewed by expiry alone.
 *
 * Order: groups of one tenant and interface run in parallel, tokens in a group one by one, both by earliest known expiry.
 * Tokens that this process has not read yet come first. Tenants whose last request failed get a share of the turns only:
 * otherwise they would always be first, and use up the time of all others.
 *
 * One rate limits the token requests of the whole deployment, so that they do not come all at once after an outage.
 * @param deployment with all of its tenants, or with those whose secrets changed
 * @param endsAtMs deadline, in ms by the monotonic clock; the next sweep renews the tokens that this one has no time for
 * @param onlyChanged whether `deployment` has only the tenants whose secrets changed
 */
export async function sweep(
  functionPorts: RefreshTokenPorts & { log: Log },
  deployment: DeploymentFile,
  endsAtMs: number,
  onlyChanged = false,
): Promise<SweepAnswer> {
  const credentials = new SweptCredentials(functionPorts.credentials, functionPorts);
  const ports = { ...functionPorts, credentials };
  const { clock, memory } = ports;
  const startedAtMs = clock.monotonicMs();
  const startedWallMs = clock.nowMs();
  const { tokenRequestsPerSec = DEFAULT_TOKEN_REQUESTS_PER_SEC, trailEvents: hasChangeEvents = false } =
    deployment;
  memory.pace ??= new RequestPace(tokenRequestsPerSec);
  memory.beginSweep();
  const tokens = tokensOf(deployment);
  if (onlyChanged) for (const { key, name } of tokens) memory.forgetSeen(key.tenantId, name);

  const { groups, renewBeforeMs } = await planSweep(ports, tokens, startedAtMs, endsAtMs);
  const lastTurnMs = endsAtMs - Math.min(MIN_RENEWAL_MS, (endsAtMs - startedAtMs) / 2);
  const state: Sweep = {
    ports,
    tokens,
    times: { endsAtMs, lastTurnMs, renewBeforeMs, hasChangeEvents },
    parallel: parallelRenewals(tokenRequestsPerSec),
    versionOfCredential: onceByTenant(async (tenant) => readVersion(ports, tenant, endsAtMs)),
    reports: new Map(),
  };
  await sweepGroups(state, groups);
  await retryLimited(state);
  const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
  // A sweep because of an event does not wait: the sweeps on schedule could not run in the meantime.
  if (deployment.profile.answer?.sameTokenUntilSec !== undefined && !onlyChanged) {
    await waitForNextTokens(state, startedWallMs);
  }
  const reports = tokens.map(({ name }) => state.reports.get(name)!);
  return reportSweep(ports, deployment, reports, { durationMs, onlyChanged });
}

/** Decides which tokens come first, and which are renewed ahead of time: see {@link renewBeforeMsOf}. */
async function planSweep(
  ports: SweepPorts,
  tokens: readonly SweptToken[],
  startedAtMs: number,
  endsAtMs: number,
): Promise<{ groups: Iterator<readonly SweptToken[]>; renewBeforeMs: number }> {
  const { clock, memory } = ports;
  const lengthMs = endsAtMs - startedAtMs;
  const capacity = (memory.pace!.perSec * lengthMs * PLANNED_SHARE) / 1000;
  if (tokens.length > capacity) await readUnknown(ports, tokens, startedAtMs + lengthMs * READING_SHARE);
  const byDue = byUrgency(memory, tokens);
  const renewBeforeMs = renewBeforeMsOf(memory, byDue, capacity, clock.nowMs());
  return { groups: groupsInTurn(memory, byDue, Math.max(renewBeforeMs, clock.nowMs())), renewBeforeMs };
}

async function readVersion(
  { clock, credentials }: SweepPorts,
  tenant: TenantKey,
  endsAtMs: number,
): Promise<CredentialVersion> {
  const timeoutMs = Math.min(VERSION_TIMEOUT_MS, endsAtMs - clock.monotonicMs());
  try {
    return { versionId: (await credentials.currentVersionId(tenant, timeoutMs)) ?? NO_VERSION };
  } catch (error) {
    return { failure: asTokenError(error) };
  }
}

/** Works on several groups at a time, on the tokens of a group one by one. */
async function sweepGroups(
  { ports, times, parallel, versionOfCredential, reports }: Sweep,
  groups: Iterator<readonly SweptToken[]>,
  waitFor?: (token: SweptToken) => Promise<void>,
): Promise<void> {
  const work = async () => {
    for (let group = groups.next(); group.done !== true; group = groups.next()) {
      for (const token of group.value) {
        await waitFor?.(token);
        const isLate = times.endsAtMs - ports.clock.monotonicMs() <= WRITE_RESERVE_MS;
        const report = isLate
          ? withoutTurn(ports, token, undefined)
          : await sweepToken(ports, token, versionOfCredential, times);
        reports.set(token.name, report);
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/**
 * Gives another turn to the tokens that the platform's limit or the write budget refused. Otherwise chance could refuse the
 * same token in several sweeps in a row.
 */
async function retryLimited(state: Sweep): Promise<void> {
  const { ports, tokens, times, reports } = state;
  const { clock, memory } = ports;
  if (!memory.pace!.hasTurn(clock, times.lastTurnMs)) return;
  const waitMs = renewalDeadlineMs(clock, times.endsAtMs) - clock.monotonicMs() - WRITE_RESERVE_MS;
  const limited = tokens.filter(({ name }) => isLimitOverWithin(waitMs, reports.get(name)!));
  if (limited.length === 0) return;
  await clock.sleep(Math.max(...limited.map(({ name }) => budgetWaitMs(reports.get(name)!))));
  await sweepGroups(state, oneByOne(limited));
}

/**
 * For an issuer that returns the same token for a while: renews each token as soon as the issuer has another, if that is in this
 * sweep. If the issuer returns the same token once more, waits again.
 * @param startedWallMs start of the sweep, in ms since the epoch
 */
async function waitForNextTokens(state: Sweep, startedWallMs: number): Promise<void> {
  const { ports, tokens, times } = state;
  const { clock, memory } = ports;
  const triedFor = new Map<string, number>();
  for (;;) {
    const endMs = clock.nowMs() + times.lastTurnMs - clock.monotonicMs();
    const upcoming = tokens
      .map((token) => ({ token, atMs: nextTokenMs(memory, token.name) }))
      // From the start of the sweep: the earlier passes may have taken until after the moment.
      .filter(({ atMs }) => atMs > startedWallMs && atMs < endMs)
      .filter(({ token, atMs }) => triedFor.get(token.name) !== atMs)
      .sort((a, b) => a.atMs - b.atMs);
    if (upcoming.length === 0) return;
    for (const { token, atMs } of upcoming) triedFor.set(token.name, atMs);
    await sweepGroups(state, oneByOne(upcoming.map(({ token }) => token)), async ({ name }) => {
      const waitMs = nextTokenMs(memory, name) - clock.nowMs();
      if (waitMs > 0) await clock.sleep(waitMs);
    });
  }
}

/** When the issuer has another token, in ms since the epoch. */
function nextTokenMs({ stored }: RefreshMemory, name: string): number {
  return (stored.get(name)?.token?.sameUntilMs ?? -Infinity) + 1;
}

function oneByOne(tokens: readonly SweptToken[]): Iterator<readonly SweptToken[]> {
  return tokens.map((token) => [token]).values();
}

/** Whether a limit refused the token and allows it soon: the platform within `waitMs`, or the write budget. */
function isLimitOverWithin(waitMs: number, report: TokenReport): boolean {
  const { cause, retryAfterMs = Infinity } = report.failure ?? {};
  if (budgetWaitMs(report) > 0) return retryAfterMs < Math.min(waitMs, MAX_BUDGET_WAIT_MS);
  return cause instanceof PlatformUnavailableError && cause.isRateLimit && retryAfterMs < waitMs;
}

function budgetWaitMs({ failure }: TokenReport): number {
  return failure?.code === 'write_budget_spent' ? (failure.retryAfterMs ?? 0) : 0;
}

/**
 * Reads the tokens that this process has not read yet. Without their expiries, one that expires soon could come last, in a
 * sweep that has no turn for each. Tokens that cannot be read stay unknown.
 * @param untilMs when no read starts any more, in ms by the monotonic clock
 */
async function readUnknown(
  { clock, memory, tokens }: RefreshTokenPorts,
  all: readonly SweptToken[],
  untilMs: number,
): Promise<void> {
  const unknown = all.filter(({ name }) => !memory.stored.has(name));
  await mapConcurrently(unknown, PARALLEL_READS, async ({ key, name }) => {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) return;
    try {
      memory.keep(name, await tokens.read(key, leftMs), clock.monotonicMs());
    } catch (error) {
      // Throws what is a bug. A failure of the store leaves the token unknown.
      asTokenError(error);
    }
  });
}

/** Cached per deployment file: with thousands of tenants, names take a good part of a sweep's processor time. */
const tokensByDeployment = new WeakMap<DeploymentFile, readonly SweptToken[]>();

function tokensOf(deployment: DeploymentFile): readonly SweptToken[] {
  const cached = tokensByDeployment.get(deployment);
  if (cached !== undefined) return cached;
  const tokens = deployment.tenants.flatMap(({ tenantId, tokens: declared }) =>
    declared.map((tokenType): SweptToken => {
      const key = tokenKeyOf(tenantKeyOf(deployment, tenantId), tokenType);
      return { key, name: tokenKeyText(key), group: tenantAtInterface(key) };
    }),
  );
  tokensByDeployment.set(deployment, tokens);
  return tokens;
}

/** Calls `read` once per tenant and returns the same result to all callers. */
function onceByTenant<T>(read: (tenant: TenantKey) => Promise<T>): (tenant: TenantKey) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return (tenant) => {
    const shared = reads.get(tenant.tenantId) ?? read(tenant);
    reads.set(tenant.tenantId, shared);
    return shared;
  };
}
