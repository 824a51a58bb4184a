import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { createTokenSource } from '../../../client';
import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC, DEFAULT_READER_CACHE_SEC } from '../../../core/tokens/lifetimes';
import { type TokenKey } from '../../../core/tokens/published-keys';
import { tenantKeyOf, tokenKeyOf, tokenKeyText } from '../../../core/tokens/token-key';
import { HttpsTokenIssuer } from '../../../lambdas/shared/adapters/https-token-issuer';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { runSweep } from '../../../lambdas/token-sweep/run-sweep';
import { serviceException } from '../../support/aws/simulated-secrets-manager';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { SeededRandom } from '../../support/live/seeded-random';
import { EventTime } from './event-time';
import { ExpiredReads, type Span } from './expired-reads';
import { LimitedPlatform, type PlatformConditions } from './limited-platform';
import { MINUTE_MS, PerMinute } from './per-minute';
import { ScaleStore } from './scale-store';
import { DAY_MS, deploymentFor, oneProcessor, START_MS } from './scale-world';

const HOUR_MS = 60 * MINUTE_MS;

const SWEEP_INTERVAL_MS = SWEEP_INTERVAL_SEC * 1000;
/** The functions' timeouts, and what their handlers reserve to answer. */
const SWEEP_TIMEOUT_MS = SWEEP_INTERVAL_MS - 60_000;
const ENSURE_TIMEOUT_MS = 30_000;
const RESERVE_MS = 1_500;
/** Lambda replaces a process after some hours, which clears its memory. */
const PROCESS_LIVES_MS = 4 * HOUR_MS;
/** Each of these tenants has a service with the client library. All other readers are counted by {@link ExpiredReads}. */
const TENANTS_WITH_CLIENT = 4;
const BETWEEN_CLIENT_READS_MS = 30_000;

/** The parameters of a simulation. */
export interface Scale {
  tenants: number;
  days: number;
  seed: number;
  platform: PlatformConditions;
}

/**
 * The conditions in which large deployments are judged, over as many days.
 * @param requestsPerSec that the platform accepts, and the deployment sends
 */
export function scaleOf(
  tenants: number,
  days: number,
  seed: number,
  requestsPerSec = DEFAULT_TOKEN_REQUESTS_PER_SEC,
): Scale {
  const outage = (fromMs: number) => ({ fromMs, untilMs: fromMs + 50 * MINUTE_MS });
  const endMs = days * DAY_MS;
  return {
    tenants,
    days,
    seed,
    platform: {
      answerMs: [200, 4_000],
      errorRate: 0.02,
      requestsPerSec,
      outages: [outage(0.4 * endMs)],
      refusal: { fromMs: 0.6 * endMs, untilMs: 0.8 * endMs, share: 0.05 },
    },
  };
}

/** What a simulation found. */
export interface ScaleResult {
  tokens: number;
  days: number;
  expired: ExpiredReads;
  requests: PerMinute;
  /** Duration of each sweep, in ms. */
  sweepsMs: number[];
  /** Sweeps that ended after the function's timeout. */
  sweepsTooLong: number;
  /** Sweeps that were still running when the next was due. */
  sweepsOverlapping: number;
  /** Time from the start until every token was loaded, in ms. */
  loadedAfterMs: number;
  /** Time from the end of each outage until no token was expired any more, in ms. */
  recoveredAfterMs: number[];
  /** The same, in which the platform's limit leaves no room for it. */
  allowedRecoveryMs: number;
  clientFailuresAvoidable: number;
}

/**
 * Time in which the platform's limit has room for one request of every token, if sweeps run four of five minutes. Until the
 * first sweep, and for a token whose requests the platform fails once more, another interval each.
 */
function allowedRecoveryMs(tokens: number, { requestsPerSec, errorRate }: PlatformConditions): number {
  const share = (SWEEP_TIMEOUT_MS - RESERVE_MS) / SWEEP_INTERVAL_MS;
  return 2 * SWEEP_INTERVAL_MS + (tokens / (requestsPerSec * (1 - errorRate) * share)) * 1000;
}

/** Runs the real functions of one deployment for days. */
export async function simulateScale({
  tenants,
  days,
  seed,
  platform: conditions,
}: Scale): Promise<ScaleResult> {
  const clock = new EventTime(START_MS);
  const random = new SeededRandom(seed);
  const endMs = days * DAY_MS;
  const minutes = days * 24 * 60;
  const deployment = { ...deploymentFor(tenants), tokenRequestsPerSec: conditions.requestsPerSec };
  const keys = deployment.tenants.flatMap(({ tenantId, tokens }) =>
    tokens.map((tokenType) => tokenKeyOf(tenantKeyOf(deployment, tenantId), tokenType) as TokenKey),
  );
  const tenantIds = deployment.tenants.map(({ tenantId }) => tenantId);
  const requests = new PerMinute(minutes);
  const expired = new ExpiredReads(START_MS);
  const platform = new LimitedPlatform(clock, random, conditions, tenantIds, requests);
  const allowedMs = allowedRecoveryMs(keys.length, conditions);
  const { outages, refusal } = conditions;
  // A reader keeps an expired token for as long as any other.
  const excusedAfterMs = allowedMs + DEFAULT_READER_CACHE_SEC * 1000;
  const excused = ({ fromMs, untilMs }: Span): Span => ({ fromMs, untilMs: untilMs + excusedAfterMs });
  const outageSpans = outages.map(excused);
  const refusalSpans = [...outageSpans, excused(refusal)];
  const excusesOf = (tenantId: string) => (platform.refuses(tenantId) ? refusalSpans : outageSpans);
  let loaded = 0;
  let loadedAfterMs = Infinity;
  const recoveredAfterMs = outages.map(() => 0);
  const isRefusedSince = (tenantId: string, nowMs: number) =>
    nowMs >= refusal.fromMs && platform.refuses(tenantId);
  const store = new ScaleStore(clock, random, deployment.prefix, keys, (key, before) => {
    const nowMs = clock.monotonicMs();
    if (before === undefined) {
      loaded += 1;
      if (loaded === keys.length) loadedAfterMs = nowMs;
      return;
    }
    expired.replaced(tokenKeyText(key), before, clock.nowMs(), excusesOf(key.tenantId));
    if (before.expiresAtMs > clock.nowMs() || isRefusedSince(key.tenantId, nowMs)) return;
    const expiredAtMs = before.expiresAtMs - START_MS;
    // Tokens that expired later have other reasons.
    const of = outages.findLastIndex(
      ({ fromMs, untilMs }) => fromMs <= expiredAtMs && expiredAtMs < untilMs + allowedMs,
    );
    if (of !== -1) recoveredAfterMs[of] = Math.max(recoveredAfterMs[of]!, nowMs - outages[of]!.untilMs);
  });
  const startProcess = () => {
    const processor = oneProcessor(clock);
    return {
      ...store.ports(processor),
      issuer: new HttpsTokenIssuer(deployment, clock, async (request) => {
        await clock.sleep(processor());
        return platform.sendRequest(request);
      }),
      clock,
      random: random.next,
      memory: new RefreshMemory(),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      metrics: new CountingMetrics(),
    };
  };
  const replacedNowAndThen = () => {
    let process = startProcess();
    let untilMs = random.untilNext(PROCESS_LIVES_MS);
    return () => {
      if (clock.monotonicMs() >= untilMs) {
        process = startProcess();
        untilMs = clock.monotonicMs() + random.untilNext(PROCESS_LIVES_MS);
      }
      process.metrics.measured.length = 0;
      return process;
    };
  };

  const sweepsMs: number[] = [];
  let sweepsTooLong = 0;
  let sweepsOverlapping = 0;
  const sweeper = replacedNowAndThen();
  async function sweepOnSchedule(): Promise<void> {
    for (let number = 0; ; number += 1) {
      const dueMs = number * SWEEP_INTERVAL_MS;
      if (dueMs >= endMs) return;
      // With a reserved concurrency of one, the event waits for the sweep that is running.
      if (clock.monotonicMs() > dueMs) sweepsOverlapping += 1;
      await clock.sleep(dueMs - clock.monotonicMs());
      const startedMs = clock.monotonicMs();
      const process = sweeper();
      const endsAtMs = startedMs + SWEEP_TIMEOUT_MS - RESERVE_MS;
      await runSweep(process, deployment, endsAtMs);
      const tookMs = clock.monotonicMs() - startedMs;
      sweepsMs.push(tookMs);
      if (tookMs > SWEEP_TIMEOUT_MS) sweepsTooLong += 1;
    }
  }

  const refresher = replacedNowAndThen();
  let isBusy = false;
  async function invoke({ input }: InvokeCommand): Promise<object> {
    if (isBusy) throw serviceException('TooManyRequestsException');
    isBusy = true;
    const startedMs = clock.monotonicMs();
    try {
      const event: unknown = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString());
      const request = parseEnsureEvent(event, deployment);
      const answered = await ensure(refresher(), request, startedMs + ENSURE_TIMEOUT_MS - RESERVE_MS);
      return { Payload: Buffer.from(JSON.stringify(answered)) };
    } finally {
      isBusy = false;
    }
  }
  let clientFailuresAvoidable = 0;
  async function readWithClient(tenantId: string): Promise<void> {
    const source = createTokenSource({
      tokenRefresh: 'token-refresh',
      secretsManager: { send: store.send } as unknown as SecretsManagerClient,
      lambda: { send: invoke } as unknown as LambdaClient,
      random: random.next,
      clock,
    });
    const own = keys.filter((key) => key.tenantId === tenantId);
    // Services start once their tokens are loaded.
    await clock.sleep(HOUR_MS + random.between(0, BETWEEN_CLIENT_READS_MS));
    for (;;) {
      for (const key of own) {
        const askedMs = clock.monotonicMs();
        try {
          const { expiresAt } = await source.getToken(key);
          if (Date.parse(expiresAt) <= clock.nowMs()) throw new Error('expired');
        } catch {
          const isExcused = excusesOf(tenantId).some(
            ({ fromMs, untilMs }) => fromMs <= askedMs && askedMs < untilMs,
          );
          if (!isExcused) clientFailuresAvoidable += 1;
        }
      }
      await clock.sleep(random.between(0.5, 1.5) * BETWEEN_CLIENT_READS_MS);
    }
  }

  void sweepOnSchedule();
  const step = Math.max(1, Math.floor(tenants / TENANTS_WITH_CLIENT));
  for (let index = 0; index < tenants; index += step) void readWithClient(tenantIds[index]!);
  await clock.runUntil(endMs);
  return {
    tokens: keys.length,
    days,
    expired,
    requests,
    sweepsMs,
    sweepsTooLong,
    sweepsOverlapping,
    loadedAfterMs,
    recoveredAfterMs,
    allowedRecoveryMs: allowedMs,
    clientFailuresAvoidable,
  };
}
