import { type HttpsAnswer, HttpsError, type sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { type SeededRandom } from '../../support/live/seeded-random';
import { type PerMinute } from './per-minute';
import { TokenBucket } from './token-bucket';

/** How the platform behaves. Times are in ms since the start. */
export interface PlatformConditions {
  /** Least and most time to an answer, evenly distributed. */
  answerMs: readonly [number, number];
  /** Share of requests that fail at random. */
  errorRate: number;
  /** Requests per second that it accepts, of all tenants and on all endpoints together. */
  requestsPerSec: number;
  outages: readonly { fromMs: number; untilMs: number }[];
  /** When it refuses some credentials, and those of which share of the tenants. */
  refusal: { fromMs: number; untilMs: number; share: number };
}

const TOKEN_LIFE_SEC = 3600;
/** Time to an answer that needs no work. */
const QUICK_MS = 100;
const RETRY_AFTER_SEC = 1;

/** Token endpoints that are slow, limit requests, and are down at times. */
export class LimitedPlatform {
  #grants = 0;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #conditions: PlatformConditions;
  readonly #requests: PerMinute;
  readonly #refusedTenantIds: ReadonlySet<string>;
  readonly #limit: TokenBucket;

  /** @param requests gets the curve of the requests */
  constructor(
    clock: Clock,
    random: SeededRandom,
    conditions: PlatformConditions,
    tenantIds: readonly string[],
    requests: PerMinute,
  ) {
    this.#clock = clock;
    this.#random = random;
    this.#conditions = conditions;
    this.#requests = requests;
    this.#limit = new TokenBucket(clock, conditions.requestsPerSec);
    const { share } = conditions.refusal;
    this.#refusedTenantIds = new Set(
      tenantIds.filter((_, index) => Math.floor((index + 1) * share) > Math.floor(index * share)),
    );
  }

  /** Whether it ever refuses this tenant's credential. */
  refuses(tenantId: string): boolean {
    return this.#refusedTenantIds.has(tenantId);
  }

  sendRequest: typeof sendHttps = async ({ url, totalTimeoutMs }) => {
    const clock = this.#clock;
    const random = this.#random;
    const { answerMs, errorRate, outages, refusal } = this.#conditions;
    const sentMs = clock.monotonicMs();
    this.#requests.add(sentMs);
    if (outages.some(({ fromMs, untilMs }) => fromMs <= sentMs && sentMs < untilMs)) {
      if (random.chance(0.5)) {
        await clock.sleep(totalTimeoutMs);
        throw new HttpsError('timeout', 'simulated', true);
      }
      await clock.sleep(QUICK_MS);
      return answer(503, {});
    }
    if (!this.#limit.take()) {
      await clock.sleep(QUICK_MS);
      return answer(429, {}, { 'retry-after': String(RETRY_AFTER_SEC) });
    }
    const takesMs = random.between(...answerMs);
    await clock.sleep(Math.min(takesMs, totalTimeoutMs));
    if (takesMs > totalTimeoutMs) throw new HttpsError('timeout', 'simulated', true);
    if (random.chance(errorRate)) {
      if (random.chance(0.5)) return answer(random.pick([500, 502, 503, 504]), {});
      throw new HttpsError('reset', 'simulated', true);
    }
    const tenantId = decodeURIComponent(url.pathname.split('/').at(-1)!);
    if (refusal.fromMs <= sentMs && sentMs < refusal.untilMs && this.refuses(tenantId)) {
      return answer(401, { error: 'invalid_client' });
    }
    const token = {
      access_token: `token-${(this.#grants += 1)}`,
      token_type: 'Bearer',
      expires_in: TOKEN_LIFE_SEC,
    };
    return answer(200, token);
  };
}

function answer(status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer {
  return { status, headers, body: JSON.stringify(body) };
}
