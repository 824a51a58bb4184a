import { HttpsError } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { MINUTE_MS } from '../../support/lambdas/token-functions';
import { type SeededRandom } from './seeded-random';
import { answer, type SendRequest } from './simulated-platform';
import { type Send, serviceException } from '../../support/aws/simulated-secrets-manager';

/** How often calls fail, and how long they take. */
export interface Conditions {
  /** Share of calls that fail independently. */
  errorRate: number;
  secretsManagerLatencyMs: number;
  platformLatencyMs: number;
  /** Mean time between the end of an outage and the next; 0 disables outages. */
  betweenOutagesMs: number;
}

/** Relative deviation of latencies, both up and down. */
const LATENCY_JITTER = 0.2;
const SHORTEST_OUTAGE_MS = 2 * MINUTE_MS;
/** A stored token and its cached copy outlast an outage of this length. */
const LONGEST_OUTAGE_MS = 14 * MINUTE_MS;
/** The adapters' calls include the SDK's attempts and delays, and the request timeout that token-refresh sets. */
const SDK_ATTEMPTS = 3;
const SDK_BACKOFF_MS = 100;
const SDK_REQUEST_TIMEOUT_MS = 3_000;

interface Outage {
  of: 'platform' | 'Secrets Manager';
  fromMs: number;
  untilMs: number;
  /** Whether calls get no answer, instead of an error. */
  hangs: boolean;
}

/**
 * Delays calls, and makes them fail before or after execution, at random and in outages.
 * @see https://github.com/hashicorp/vault/blob/main/sdk/physical/error.go (ErrorInjector) and latency.go
 */
export class Disturbances {
  readonly outages: Outage[] = [];
  readonly #conditions: Conditions;
  readonly #clock: Clock;
  readonly #random: SeededRandom;

  constructor(conditions: Conditions, clock: Clock, random: SeededRandom, endMs: number) {
    this.#conditions = conditions;
    this.#clock = clock;
    this.#random = random;
    if (conditions.betweenOutagesMs > 0) this.#planOutages(clock.nowMs(), endMs);
  }

  /** Disturbs the commands of the adapters' client, including its retries. */
  disturbSend(send: Send): Send {
    return async (command) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#attempt(() => send(command));
        } catch (error) {
          const isTransient = (error as Error).name === 'InternalServiceError';
          if (!isTransient || attempt === SDK_ATTEMPTS) throw error;
          await this.#clock.sleep(this.#random.next() * SDK_BACKOFF_MS * 2 ** (attempt - 1));
        }
      }
    };
  }

  async #attempt(call: () => Promise<object>): Promise<object> {
    const { errorRate, secretsManagerLatencyMs } = this.#conditions;
    await this.#clock.sleep(this.#latency(secretsManagerLatencyMs));
    const outage = this.outageOf('Secrets Manager');
    if (outage?.hangs === true) await this.#clock.sleep(SDK_REQUEST_TIMEOUT_MS);
    if (outage !== undefined) throw serviceException('InternalServiceError');
    if (!this.#random.chance(errorRate)) return call();
    if (this.#random.chance(0.5)) await call();
    throw serviceException('InternalServiceError');
  }

  /** Disturbs requests to the platform, which the product retries itself. */
  disturbRequests(sendRequest: SendRequest): SendRequest {
    return async (request) => {
      const { errorRate, platformLatencyMs } = this.#conditions;
      await this.#clock.sleep(this.#latency(platformLatencyMs));
      const outage = this.outageOf('platform');
      if (outage?.hangs === true) {
        await this.#clock.sleep(request.totalTimeoutMs);
        throw new HttpsError('timeout', 'simulated', true);
      }
      if (outage !== undefined) return answer(503, {});
      if (!this.#random.chance(errorRate)) return sendRequest(request);
      switch (this.#random.pick(['refused', 'throttled', 'reset before', 'reset after'] as const)) {
        case 'refused':
          return answer(this.#random.pick([500, 502, 503, 504]), {});
        case 'throttled':
          return answer(429, {}, { 'retry-after': String(this.#random.pick([1, 2, 3])) });
        case 'reset after':
          await sendRequest(request);
          throw new HttpsError('reset', 'simulated', true);
        case 'reset before':
          throw new HttpsError('connect', 'simulated', false);
      }
    };
  }

  /** The current outage of a system, if any. */
  outageOf(what: Outage['of']): Outage | undefined {
    const nowMs = this.#clock.nowMs();
    return this.outages.find(({ of, fromMs, untilMs }) => of === what && fromMs <= nowMs && nowMs < untilMs);
  }

  #latency(meanMs: number): number {
    return meanMs * this.#random.between(1 - LATENCY_JITTER, 1 + LATENCY_JITTER);
  }

  /** Plans outages with time to recover in between, since two in close succession act like a longer one. */
  #planOutages(startMs: number, endMs: number): void {
    const random = this.#random;
    let fromMs = startMs;
    for (;;) {
      fromMs += 2 * 60 * MINUTE_MS + random.untilNext(this.#conditions.betweenOutagesMs);
      const of = random.pick(['platform', 'Secrets Manager'] as const);
      const untilMs = fromMs + random.between(SHORTEST_OUTAGE_MS, LONGEST_OUTAGE_MS);
      if (untilMs > endMs) return;
      this.outages.push({ of, fromMs, untilMs, hangs: random.chance(0.5) });
      fromMs = untilMs;
    }
  }
}
