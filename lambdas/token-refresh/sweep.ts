import {
  DEFAULT_TOKEN_REQUESTS_PER_SEC,
  type DeploymentFile,
  parallelRenewals,
} from '../../core/deployment/deployment-file';
import { mapInTurn } from '../../core/calls/map-in-turn';
import {
  type TenantKey,
  tenantKeyOf,
  tokenKeyOf,
  tokenKeyText,
  tokenTypeOf,
} from '../../core/tokens/token-key';
import { type SweepAnswer } from '../../core/tokens/token-refresh';
import { PlatformUnavailableError } from '../../core/tokens/token-errors';
import { type Log } from '../shared/ports';
import { isFailure, recordSweepMetrics, type TokenReport } from './record-sweep-metrics';
import { NO_VERSION, type RefreshMemory, tenantAtInterface } from './refresh-memory';
import { WRITE_RESERVE_MS } from './mint-token';
import { asTokenError, type RefreshTokenPorts, renewalDeadlineMs } from './refresh-token';
import { RequestPace } from './request-pace';
import { aheadOf, byUrgency, inTurn, type SweptToken } from './sweep-order';
import { summarize } from './sweep-report';
import { type CredentialVersion, sweepToken, withoutTurn } from './sweep-token';
import { SweptCredentials } from './swept-credentials';

/** Share of a sweep's requests that is planned with; the rest is for failures, and for other requests. */
const PLANNED_SHARE = 0.85;
/** See {@link readUnknown}. */
const PARALLEL_READS = 32;
/** Share of a sweep in which a new process reads tokens. See {@link readUnknown}. */
const READING_SHARE = 0.25;
/**
 * Least time to start a renewal: a slow answer, and the write. With less, a token may be issued and never stored. Half of a
 * sweep that is short.
 */
const LEAST_RENEWAL_MS = 6_500;
/** Time limit to read a credential's version, which leaves time for a renewal without it. */
const VERSION_TIMEOUT_MS = 4_000;
/** Longest wait for the write budget: it is free again once a sweep is as late as the one a day before. */
const MAX_BUDGET_WAIT_MS = 60_000;

/**
 * Renews every token of the deployment that is due or of a retired credential. A failing tenant never stops the others. If
 * a credential's version cannot be read, its tokens are renewed by expiry alone.
 *
 * Order: groups of one tenant and interface run in parallel, tokens in a group one by one, both by earliest known expiry.
 * Tokens that this process has not read yet come first. Tenants whose last request failed get a share of the turns only:
 * otherwise they would always be first, and use up the time of all others.
 *
 * Token requests keep to a rate for the whole deployment, so that after an outage they come as a stream. Tokens that the
 * platform's own limit left out get another turn at the end.
 * @param deployment with all of its tenants, or with those whose secrets changed
 * @param endsAtMs deadline, in ms by the monotonic clock; tokens that cannot be renewed before it are left to the next sweep
 * @param isOfChanged whether the tenants are those whose secrets changed
 */
export async function sweep(
  functionPorts: RefreshTokenPorts & { log: Log },
  deployment: DeploymentFile,
  endsAtMs: number,
  isOfChanged = false,
): Promise<SweepAnswer> {
  const credentials = new SweptCredentials(functionPorts.credentials, functionPorts);
  const ports = { ...functionPorts, credentials };
  const { clock, log, memory } = ports;
  const startedAtMs = clock.monotonicMs();
  const startedMs = clock.nowMs();
  const { tokenRequestsPerSec = DEFAULT_TOKEN_REQUESTS_PER_SEC, trailEvents: hearsOfChanges = false } =
    deployment;
  memory.pace ??= new RequestPace(tokenRequestsPerSec);
  memory.beginSweep();
  const lastTurnMs = endsAtMs - Math.min(LEAST_RENEWAL_MS, (endsAtMs - startedAtMs) / 2);
  const all = tokensOf(deployment);
  if (isOfChanged) for (const { key, name } of all) memory.forgetSeen(key.tenantId, name);
  const capacity = (memory.pace.perSec * (endsAtMs - startedAtMs) * PLANNED_SHARE) / 1000;
  if (all.length > capacity) {
    await readUnknown(ports, all, startedAtMs + (endsAtMs - startedAtMs) * READING_SHARE);
  }
  const byDue = byUrgency(memory, all);
  const renewBeforeMs = aheadOf(memory, byDue, capacity, clock.nowMs());
  const versionOfCredential = onceByTenant(async (tenant): Promise<CredentialVersion> => {
    const timeoutMs = Math.min(VERSION_TIMEOUT_MS, endsAtMs - clock.monotonicMs());
    try {
      return { versionId: (await ports.credentials.currentVersionId(tenant, timeoutMs)) ?? NO_VERSION };
    } catch (error) {
      return { failure: asTokenError(error) };
    }
  });
  const times = { endsAtMs, lastTurnMs, renewBeforeMs, hearsOfChanges };
  const reportOf = new Map<string, TokenReport>();

  async function work(
    groups: Iterator<readonly SweptToken[]>,
    untilItsMoment?: (token: SweptToken) => Promise<void>,
  ): Promise<void> {
    for (let group = groups.next(); group.done !== true; group = groups.next()) {
      for (const token of group.value) {
        await untilItsMoment?.(token);
        const isLate = endsAtMs - clock.monotonicMs() <= WRITE_RESERVE_MS;
        reportOf.set(
          token.name,
          isLate
            ? withoutTurn(ports, token, undefined)
            : await sweepToken(ports, token, versionOfCredential, times),
        );
      }
    }
  }
  const workInParallel = async (...given: Parameters<typeof work>) => {
    await Promise.all(Array.from({ length: parallelRenewals(tokenRequestsPerSec) }, () => work(...given)));
  };
  await workInParallel(inTurn(memory, byDue, Math.max(renewBeforeMs, clock.nowMs())));
  // Otherwise, chance would have the platform's limit or the write budget refuse a token in several sweeps in a row.
  if (memory.pace.hasTurn(clock, lastTurnMs)) {
    const waitMs = renewalDeadlineMs(clock, endsAtMs) - clock.monotonicMs() - WRITE_RESERVE_MS;
    const limited = all.filter(({ name }) => isLimitedFor(waitMs, reportOf.get(name)!));
    const budgetWaitsMs = limited.map(({ name }) => budgetWaitMs(reportOf.get(name)!));
    if (limited.length > 0) await clock.sleep(Math.max(...budgetWaitsMs));
    await workInParallel(limited.map((token) => [token]).values());
  }
  const durationMs = Math.round(clock.monotonicMs() - startedAtMs);
  // An event about a change leaves the wait to the sweeps on schedule: they could not run in the meantime.
  if (deployment.profile.answer?.sameTokenUntilSec !== undefined && !isOfChanged) {
    const untilItsMoment = async ({ name }: SweptToken) => {
      const waitMs = momentMsOf(memory, name) - clock.nowMs();
      if (waitMs > 0) await clock.sleep(waitMs);
    };
    const askedAtMs = new Map<string, number>();
    // Again for an issuer that returned the same token once more.
    for (;;) {
      const upcoming = upcomingIn(ports, all, lastTurnMs, startedMs).filter(
        ({ name }) => askedAtMs.get(name) !== momentMsOf(memory, name),
      );
      if (upcoming.length === 0) break;
      for (const { name } of upcoming) askedAtMs.set(name, momentMsOf(memory, name));
      await workInParallel(upcoming.map((token) => [token]).values(), untilItsMoment);
    }
  }
  const reports = all.map(({ name }) => reportOf.get(name)!);

  const answer = summarize(deployment, reports);
  for (const report of reports) {
    if (isFailure(report)) {
      const { key, outcome, failure, isRenewed } = report;
      log.error(isRenewed === true ? 'token renewed with the former credential' : 'token not renewed', {
        tenantId: key.tenantId,
        ...tokenTypeOf(key),
        code: outcome,
        detail: failure?.message ?? '',
      });
    }
  }
  const { tokens, refreshed, failed } = answer;
  log.info('sweep ended', { tokens, refreshed, failed, durationMs });
  recordSweepMetrics(ports, reports, isOfChanged ? undefined : durationMs, deployment.profile);
  return answer;
}

/**
 * The tokens of an issuer that returns the same one, if it has another in this sweep: in the order of these moments.
 * @param untilMs when no token request starts any more, in ms by the monotonic clock
 * @param startedMs start of the sweep, in ms since the epoch: others may have taken until after a moment
 */
function upcomingIn(
  { clock, memory }: RefreshTokenPorts,
  all: readonly SweptToken[],
  untilMs: number,
  startedMs: number,
): SweptToken[] {
  const endMs = clock.nowMs() + untilMs - clock.monotonicMs();
  return all
    .map((token) => ({ token, atMs: momentMsOf(memory, token.name) }))
    .filter(({ atMs }) => atMs > startedMs && atMs < endMs)
    .sort((a, b) => a.atMs - b.atMs)
    .map(({ token }) => token);
}

/** The first moment at which the issuer has another token, in ms since the epoch. */
function momentMsOf({ stored }: RefreshMemory, name: string): number {
  return (stored.get(name)?.token?.sameUntilMs ?? -Infinity) + 1;
}

/** Whether the platform answered 429, with a Retry-After below `waitMs`, or the write budget allows a renewal soon. */
function isLimitedFor(waitMs: number, report: TokenReport): boolean {
  const { cause, retryAfterMs = Infinity } = report.failure ?? {};
  if (budgetWaitMs(report) > 0) return retryAfterMs < Math.min(waitMs, MAX_BUDGET_WAIT_MS);
  return cause instanceof PlatformUnavailableError && cause.isRateLimit && retryAfterMs < waitMs;
}

function budgetWaitMs({ failure }: TokenReport): number {
  return failure?.code === 'write_budget_spent' ? (failure.retryAfterMs ?? 0) : 0;
}

/**
 * Reads the tokens that this process does not know. Without their expiries, one that expires soon could come last, in a sweep
 * that has no turn for each. Tokens that cannot be read stay unknown.
 * @param untilMs when no read starts any more, in ms by the monotonic clock
 */
async function readUnknown(
  { clock, memory, tokens }: RefreshTokenPorts,
  all: readonly SweptToken[],
  untilMs: number,
): Promise<void> {
  const unknown = all.filter(({ name }) => !memory.stored.has(name));
  await mapInTurn(unknown, PARALLEL_READS, async ({ key, name }) => {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) return;
    try {
      memory.keep(name, await tokens.read(key, leftMs), clock.monotonicMs());
    } catch (error) {
      asTokenError(error);
    }
  });
}

/** Kept per deployment file: with thousands of tenants, the names take a good part of a sweep's processor time. */
const knownTokens = new WeakMap<DeploymentFile, readonly SweptToken[]>();

function tokensOf(deployment: DeploymentFile): readonly SweptToken[] {
  const known = knownTokens.get(deployment);
  if (known !== undefined) return known;
  const tokens = deployment.tenants.flatMap(({ tenantId, tokens: declared }) =>
    declared.map((tokenType): SweptToken => {
      const key = tokenKeyOf(tenantKeyOf(deployment, tenantId), tokenType);
      return { key, name: tokenKeyText(key), group: tenantAtInterface(key) };
    }),
  );
  knownTokens.set(deployment, tokens);
  return tokens;
}

/** Calls `read` once per tenant and returns the same result to all callers. */
function onceByTenant<T>(read: (tenant: TenantKey) => Promise<T>): (tenant: TenantKey) => Promise<T> {
  const reads = new Map<string, Promise<T>>();
  return (tenant) => {
    const known = reads.get(tenant.tenantId);
    if (known !== undefined) return known;
    const started = read(tenant);
    reads.set(tenant.tenantId, started);
    return started;
  };
}
