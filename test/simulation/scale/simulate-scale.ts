import { type InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { createTokenSource } from '../../../client';
import { DEFAULT_TOKEN_REQUESTS_PER_SEC } from '../../../core/deployment/deployment-file';
import { SWEEP_INTERVAL_SEC, DEFAULT_READER_CACHE_SEC } from '../../../core/tokens/lifetimes';
import { tokenKeyText } from '../../../core/tokens/token-key';
import { HttpsTokenIssuer } from '../../../lambdas/shared/adapters/https-token-issuer';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { runSweep } from '../../../lambdas/token-sweep/run-sweep';
import { serviceException } from '../../support/aws/simulated-secrets-manager';
import { DrivenTime } from '../../support/live/driven-time';
import { SeededRandom } from '../../support/live/seeded-random';
import { SILENT } from '../../support/live/token-process';
import { ExpiredReads, isWithin, type Span } from './expired-reads';
import { ERROR_RATE, limitedPlatform, refuses } from './limited-platform';
import { scaleStore } from './scale-store';
import { DAY_MS, deploymentFor, keysOf, MINUTE_MS, oneProcessor } from './scale-world';

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

/** The parameters of a simulation. The platform is down for 50 minutes, and later refuses some credentials. */
interface Scale {
  tenants: number;
  days: number;
  seed: number;
  /** That the platform accepts, and the deployment sends. */
  requestsPerSec?: number;
}

export type ScaleResult = Awaited<ReturnType<typeof simulateScale>>;

/**
 * Time in which the platform's limit has room for one request of every token, if sweeps run four of five minutes. Until the
 * first sweep, and for a token whose requests the platform fails once more, another interval each.
 */
function recoveryMs(tokens: number, requestsPerSec: number): number {
  const share = (SWEEP_TIMEOUT_MS - RESERVE_MS) / SWEEP_INTERVAL_MS;
  return 2 * SWEEP_INTERVAL_MS + (tokens / (requestsPerSec * (1 - ERROR_RATE) * share)) * 1000;
}

/** Runs the real functions of one deployment for days. */
export async function simulateScale({
  tenants,
  days,
  seed,
  requestsPerSec = DEFAULT_TOKEN_REQUESTS_PER_SEC,
}: Scale) {
  const clock = new DrivenTime();
  const random = new SeededRandom(seed);
  const startMs = clock.nowMs();
  const at = (share: number) => startMs + share * days * DAY_MS;
  const outage = { fromMs: at(0.4), untilMs: at(0.4) + 50 * MINUTE_MS };
  const refusal = { fromMs: at(0.6), untilMs: at(0.8) };
  const deployment = { ...deploymentFor(tenants), tokenRequestsPerSec: requestsPerSec };
  const keys = keysOf(deployment);
  const platform = limitedPlatform(clock, random, { requestsPerSec, outage, refusal });
  const allowedRecoveryMs = recoveryMs(keys.length, requestsPerSec);
  const result = {
    tokens: keys.length,
    expired: new ExpiredReads(),
    sweepsMs: [] as number[],
    /** Sweeps that ended after the function's timeout. */
    sweepsTooLong: 0,
    /** Sweeps that were still running when the next was due. */
    sweepsOverlapping: 0,
    /** Time from the start until every token was loaded, in ms. */
    loadedAfterMs: Infinity,
    /** Time from the end of the outage until no token was expired any more, in ms. */
    recoveredAfterMs: 0,
    /** The same, in which the platform's limit leaves no room for it. */
    allowedRecoveryMs,
    clientFailuresAvoidable: 0,
  };
  // A reader keeps an expired token for as long as any other.
  const excusedAfterMs = allowedRecoveryMs + DEFAULT_READER_CACHE_SEC * 1000;
  const excusesOf = (tenantId: string): Span[] =>
    (refuses(tenantId) ? [outage, refusal] : [outage]).map(({ fromMs, untilMs }) => ({
      fromMs,
      untilMs: untilMs + excusedAfterMs,
    }));
  let loaded = 0;
  const store = scaleStore(clock, random, { prefix: deployment.prefix, keys }, (key, before) => {
    const nowMs = clock.nowMs();
    if (before === undefined) {
      loaded += 1;
      if (loaded === keys.length) result.loadedAfterMs = nowMs - startMs;
      return;
    }
    result.expired.replaced(tokenKeyText(key), before.expiresAtMs, nowMs, excusesOf(key.tenantId));
    const isRefusedSince = nowMs >= refusal.fromMs && refuses(key.tenantId);
    // Tokens that expired later have other reasons.
    const isOfOutage = isWithin(
      { ...outage, untilMs: outage.untilMs + allowedRecoveryMs },
      before.expiresAtMs,
    );
    if (before.expiresAtMs <= nowMs && !isRefusedSince && isOfOutage)
      result.recoveredAfterMs = Math.max(result.recoveredAfterMs, nowMs - outage.untilMs);
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
      log: SILENT,
      metrics: { count: () => undefined },
    };
  };
  const replacedNowAndThen = () => {
    let process = startProcess();
    let untilMs = clock.nowMs() + random.untilNext(PROCESS_LIVES_MS);
    return () => {
      if (clock.nowMs() < untilMs) return process;
      untilMs = clock.nowMs() + random.untilNext(PROCESS_LIVES_MS);
      return (process = startProcess());
    };
  };

  const sweeper = replacedNowAndThen();
  async function sweepOnSchedule(): Promise<void> {
    for (let dueMs = startMs; dueMs < at(1); dueMs += SWEEP_INTERVAL_MS) {
      // With a reserved concurrency of one, the event waits for the sweep that is running.
      if (clock.nowMs() > dueMs) result.sweepsOverlapping += 1;
      await clock.sleep(dueMs - clock.nowMs());
      const startedMs = clock.nowMs();
      await runSweep(sweeper(), deployment, startedMs + SWEEP_TIMEOUT_MS - RESERVE_MS);
      const tookMs = clock.nowMs() - startedMs;
      result.sweepsMs.push(tookMs);
      if (tookMs > SWEEP_TIMEOUT_MS) result.sweepsTooLong += 1;
    }
  }

  const refresher = replacedNowAndThen();
  let isBusy = false;
  async function invoke({ input }: InvokeCommand): Promise<object> {
    if (isBusy) throw serviceException('TooManyRequestsException');
    isBusy = true;
    const endsAtMs = clock.nowMs() + ENSURE_TIMEOUT_MS - RESERVE_MS;
    try {
      const event: unknown = JSON.parse(Buffer.from(input.Payload as Uint8Array).toString());
      const answered = await ensure(refresher(), parseEnsureEvent(event, deployment), endsAtMs);
      return { Payload: Buffer.from(JSON.stringify(answered)) };
    } finally {
      isBusy = false;
    }
  }
  async function readWithClient(tenantId: string): Promise<void> {
    const source = createTokenSource({
      tokenRefresh: 'token-refresh',
      secretsManager: { send: store.send } as unknown as SecretsManagerClient,
      lambda: { send: invoke } as unknown as LambdaClient,
      random: random.next,
      clock,
    });
    // Services start once their tokens are loaded.
    await clock.sleep(HOUR_MS + random.between(0, BETWEEN_CLIENT_READS_MS));
    for (;;) {
      for (const key of keys.filter((each) => each.tenantId === tenantId)) {
        const askedMs = clock.nowMs();
        try {
          const { expiresAt } = await source.getToken(key);
          if (Date.parse(expiresAt) <= clock.nowMs()) throw new Error('expired');
        } catch {
          if (!excusesOf(tenantId).some((span) => isWithin(span, askedMs)))
            result.clientFailuresAvoidable += 1;
        }
      }
      await clock.sleep(random.between(0.5, 1.5) * BETWEEN_CLIENT_READS_MS);
    }
  }

  void sweepOnSchedule();
  const step = Math.max(1, Math.floor(tenants / TENANTS_WITH_CLIENT));
  for (let index = 0; index < tenants; index += step)
    void readWithClient(deployment.tenants[index]!.tenantId);
  await clock.advance(days * DAY_MS);
  return { ...result, mostRequestsAMinute: platform.mostRequestsAMinute() };
}
