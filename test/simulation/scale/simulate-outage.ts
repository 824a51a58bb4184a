import { sha256Hex } from '../../../core/secrets/sha256';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';
import { type TokenKey, tokenKeyOf, tokenKeyText, tokenTypeOf } from '../../../core/tokens/token-key';
import { HttpsError } from '../../../lambdas/shared/adapters/https-client';
import { HttpsTokenIssuer } from '../../../lambdas/shared/adapters/https-token-issuer';
import { type StoredToken } from '../../../core/tokens/stored-token';
import { ensure } from '../../../lambdas/token-refresh/ensure';
import { parseEnsureEvent } from '../../../lambdas/token-refresh/ensure-event';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { sweep } from '../../../lambdas/token-refresh/sweep';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';
import { SeededRandom } from '../support/seeded-random';
import { answer, type SendRequest } from '../support/simulated-platform';
import { EventTime } from './event-time';
import { MINUTE_MS, PerMinute } from './per-minute';
import { ScaleStore } from './scale-store';
import { deploymentFor, oneProcessor, START_MS } from './scale-world';

export const HOUR_MS = 60 * MINUTE_MS;
const SWEEP_INTERVAL_MS = SWEEP_INTERVAL_SEC * 1000;
/** Time that the functions' handlers leave to their use cases. */
const SWEEP_MS = SWEEP_INTERVAL_MS - 61_500;
const ENSURE_MS = 28_500;

/** What the platform does to requests of the tenants that fail. */
export const FAILURES = {
  '503': async () => answer(503, {}),
  '429': async () => answer(429, {}, { 'retry-after': '2' }),
  hang: async (clock, timeoutMs) => {
    await clock.sleep(timeoutMs);
    throw new HttpsError('timeout', 'simulated', true);
  },
  'slow body': async (clock, timeoutMs) => {
    await clock.sleep(Math.min(4_500, timeoutMs));
    throw new HttpsError('reset', 'simulated', true);
  },
  refused: async () => answer(401, { error: 'invalid_client' }),
} satisfies Record<string, (clock: EventTime, timeoutMs: number) => ReturnType<SendRequest>>;

/** A platform that fails some tenants for a while. */
export interface Outage {
  tenants: number;
  hours: number;
  /** Lifetime of the tokens that it issues at a time, in ms since the start. */
  lifeSec: (atMs: number) => number;
  /** Which tenants fail, how, and when. Times in ms since the start. */
  failing?: {
    kind: keyof typeof FAILURES;
    isFailing(index: number): boolean;
    fromMs: number;
    untilMs: number;
  };
  /** Every failing tenant's caller asks token-refresh this often, and a healthy tenant's forces a renewal each minute. */
  betweenAsksMs?: number;
}

/** What a simulated outage did to tenants that did not fail themselves. */
export interface OutageResult {
  /** Most of their tokens that were expired at once. */
  dead: number;
  /** Share of the time in which their tokens were valid, once all were loaded. */
  valid: number;
  /** Longest time that one of their tokens was expired, in ms. */
  longestDarkMs: number;
  mostWritesADay: number;
  longestSweepMs: number;
  requests: PerMinute;
  /** Requests while tenants failed. */
  requestsInOutage: number;
  /** Time from the end of the failures until no token was expired, in ms. */
  recoveredAfterMs: number;
  /** Time until a healthy caller's forced renewal was answered, with its retries while token-refresh is busy, in ms. */
  waitsMs: number[];
  failedAsks: number;
}

/** Runs the real sweep, and token-refresh if callers ask it, against a platform that fails some tenants. */
export async function simulateOutage({
  tenants,
  hours,
  lifeSec,
  failing,
  betweenAsksMs,
}: Outage): Promise<OutageResult> {
  const clock = new EventTime(START_MS);
  const random = new SeededRandom(1);
  const deployment = deploymentFor(tenants);
  const keys = deployment.tenants.flatMap(({ tenantId, tokens }) =>
    tokens.map((tokenType) => tokenKeyOf({ ...deployment, tenantId }, tokenType)),
  );
  const failingIds = new Set(
    deployment.tenants.flatMap(({ tenantId }, index) =>
      failing?.isFailing(index) === true ? [tenantId] : [],
    ),
  );
  const isFailingNow = (tenantId: string) =>
    failing !== undefined &&
    failing.fromMs <= clock.monotonicMs() &&
    clock.monotonicMs() < failing.untilMs &&
    failingIds.has(tenantId);
  const stored = new Map<string, StoredToken>();
  const requests = new PerMinute(hours * 60);
  let mostWritesADay = 0;
  const store = new ScaleStore(clock, random, deployment.prefix, keys, (key, _, token) => {
    stored.set(tokenKeyText(key), token);
    mostWritesADay = Math.max(mostWritesADay, token.writesMs.length);
  });
  let grants = 0;
  let requestsInOutage = 0;
  const sendRequest: SendRequest = async ({ url, totalTimeoutMs }) => {
    requests.add(clock.monotonicMs());
    if (
      failing !== undefined &&
      clock.monotonicMs() >= failing.fromMs &&
      clock.monotonicMs() < failing.untilMs
    )
      requestsInOutage += 1;
    const tenantId = decodeURIComponent(url.pathname.split('/').at(-1)!);
    if (isFailingNow(tenantId)) return FAILURES[failing!.kind](clock, totalTimeoutMs);
    await clock.sleep(random.between(100, 1_000));
    grants += 1;
    const expiresIn = lifeSec(clock.monotonicMs());
    return answer(200, { access_token: `token-${grants}`, token_type: 'Bearer', expires_in: expiresIn });
  };
  const startProcess = () => ({
    ...store.ports(oneProcessor(clock)),
    issuer: new HttpsTokenIssuer(deployment, clock, sendRequest),
    clock,
    random: random.next,
    memory: new RefreshMemory(),
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    metrics: new CountingMetrics(),
  });

  let longestSweepMs = 0;
  async function sweepOnSchedule(): Promise<void> {
    const ports = startProcess();
    for (let dueMs = 0; ; dueMs += SWEEP_INTERVAL_MS) {
      await clock.sleep(dueMs - clock.monotonicMs());
      const startedMs = clock.monotonicMs();
      await sweep(ports, deployment, startedMs + SWEEP_MS);
      longestSweepMs = Math.max(longestSweepMs, clock.monotonicMs() - startedMs);
      ports.metrics.measured.length = 0;
    }
  }

  const others = keys.filter(({ tenantId }) => !failingIds.has(tenantId)).map(tokenKeyText);
  let dead = 0;
  let deadMs = 0;
  let longestDarkMs = 0;
  let lookedMs = 0;
  let recoveredAfterMs = 0;
  const sinceOutageMs = () => clock.monotonicMs() - (failing?.untilMs ?? Infinity);
  const darkMsOf = (name: string) => clock.nowMs() - stored.get(name)!.expiresAtMs;
  const LOOK_MS = 15_000;
  async function look(): Promise<void> {
    await clock.sleep(SWEEP_INTERVAL_MS * 2);
    for (;;) {
      await clock.sleep(LOOK_MS);
      lookedMs += LOOK_MS * others.length;
      const darkMs = others.map(darkMsOf).filter((ms) => ms >= 0);
      if (sinceOutageMs() > 0 && [...stored.keys()].some((name) => darkMsOf(name) >= 0))
        recoveredAfterMs = sinceOutageMs();
      dead = Math.max(dead, darkMs.length);
      deadMs += LOOK_MS * darkMs.length;
      longestDarkMs = Math.max(longestDarkMs, ...darkMs);
    }
  }

  const refresher = startProcess();
  let isBusy = false;
  /** Asks as the client library does: again after a moment if the one slot is taken, for up to 20 s. */
  async function ask(key: TokenKey, isForced: boolean): Promise<boolean> {
    const untilMs = clock.monotonicMs() + 30_000;
    for (let attempt = 1; ; attempt += 1) {
      if (!isBusy) {
        isBusy = true;
        const token = stored.get(tokenKeyText(key))!;
        const forced = isForced
          ? { rejectedTokenSha256: sha256Hex(token.accessToken) }
          : { minValiditySec: 1200 };
        const event = { action: 'ensure', tenantId: key.tenantId, ...tokenTypeOf(key), ...forced };
        const endsAtMs = clock.monotonicMs() + ENSURE_MS;
        const { ok } = await ensure(refresher, parseEnsureEvent(event, deployment), endsAtMs);
        isBusy = false;
        return ok;
      }
      const waitMs = random.next() * Math.min(2_000, 100 * 2 ** attempt);
      if (clock.monotonicMs() + waitMs > untilMs) return false;
      await clock.sleep(waitMs);
    }
  }
  const waitsMs: number[] = [];
  let failedAsks = 0;
  async function callHealthy(key: TokenKey): Promise<void> {
    await clock.sleep(failing!.fromMs);
    while (clock.monotonicMs() < failing!.untilMs) {
      await clock.sleep(random.between(0.5, 1.5) * MINUTE_MS);
      const askedMs = clock.monotonicMs();
      if (!(await ask(key, true))) failedAsks += 1;
      waitsMs.push(clock.monotonicMs() - askedMs);
    }
  }
  async function callFailing(key: TokenKey): Promise<void> {
    await clock.sleep(failing!.fromMs);
    while (clock.monotonicMs() < failing!.untilMs) {
      await clock.sleep(random.between(0.5, 1.5) * betweenAsksMs!);
      await ask(key, true);
    }
  }

  void sweepOnSchedule();
  void look();
  if (betweenAsksMs !== undefined) {
    const firstOf = (tenantId: string) => keys.find((key) => key.tenantId === tenantId)!;
    for (const { tenantId } of deployment.tenants) {
      if (failingIds.has(tenantId)) void callFailing(firstOf(tenantId));
      else void callHealthy(firstOf(tenantId));
    }
  }
  await clock.runUntil(hours * HOUR_MS);
  return {
    dead,
    valid: 1 - deadMs / lookedMs,
    longestDarkMs,
    mostWritesADay,
    longestSweepMs,
    requests,
    requestsInOutage,
    recoveredAfterMs,
    waitsMs,
    failedAsks,
  };
}
