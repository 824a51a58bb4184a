import { type HttpsAnswer, HttpsError, type sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { type Clock } from '../../../lambdas/shared/ports';
import { type SeededRandom } from '../../support/live/seeded-random';
import { isWithin, type Span } from './expired-reads';
import { limitOf, MINUTE_MS } from './scale-world';

/** Least and most time to an answer, evenly distributed, and the time to one that needs no work. */
const ANSWER_MS = [200, 4_000] as const;
const QUICK_MS = 100;
/** Share of requests that fail at random. */
export const ERROR_RATE = 0.02;
/** It refuses the credential of each of these tenants, during the refusal. */
const REFUSED_IN = 20;

/** Token endpoints that are slow, limit requests, are down once, and later refuse some credentials. */
export class LimitedPlatform {
  mostRequestsAMinute = 0;
  #minute = 0;
  #requestsInMinute = 0;
  #grants = 0;
  readonly #clock: Clock;
  readonly #random: SeededRandom;
  readonly #outage: Span;
  readonly #refusal: Span;
  readonly #isWithinLimit: () => boolean;

  /** @param requestsPerSec that it accepts, of all tenants and on all endpoints together */
  constructor(clock: Clock, random: SeededRandom, requestsPerSec: number, outage: Span, refusal: Span) {
    this.#clock = clock;
    this.#random = random;
    this.#outage = outage;
    this.#refusal = refusal;
    this.#isWithinLimit = limitOf(clock, requestsPerSec);
  }

  /** Whether it ever refuses this tenant's credential. */
  refuses(tenantId: string): boolean {
    return Number(tenantId.split('-')[1]) % REFUSED_IN === 0;
  }

  sendRequest: typeof sendHttps = async ({ url, totalTimeoutMs }) => {
    const clock = this.#clock;
    const random = this.#random;
    const sentMs = clock.nowMs();
    this.#count(sentMs);
    if (isWithin(this.#outage, sentMs)) {
      if (random.chance(0.5)) {
        await clock.sleep(totalTimeoutMs);
        throw new HttpsError('timeout', 'simulated', true);
      }
      await clock.sleep(QUICK_MS);
      return answer(503, {});
    }
    if (!this.#isWithinLimit()) {
      await clock.sleep(QUICK_MS);
      return answer(429, {}, { 'retry-after': '1' });
    }
    const takesMs = random.between(...ANSWER_MS);
    await clock.sleep(Math.min(takesMs, totalTimeoutMs));
    if (takesMs > totalTimeoutMs) throw new HttpsError('timeout', 'simulated', true);
    if (random.chance(ERROR_RATE)) {
      if (random.chance(0.5)) return answer(random.pick([500, 502, 503, 504]), {});
      throw new HttpsError('reset', 'simulated', true);
    }
    const tenantId = decodeURIComponent(url.pathname.split('/').at(-1)!);
    if (isWithin(this.#refusal, sentMs) && this.refuses(tenantId))
      return answer(401, { error: 'invalid_client' });
    this.#grants += 1;
    return answer(200, { access_token: `token-${this.#grants}`, token_type: 'Bearer', expires_in: 3600 });
  };

  #count(sentMs: number): void {
    const minute = Math.floor(sentMs / MINUTE_MS);
    this.#requestsInMinute = minute === this.#minute ? this.#requestsInMinute + 1 : 1;
    this.#minute = minute;
    this.mostRequestsAMinute = Math.max(this.mostRequestsAMinute, this.#requestsInMinute);
  }
}

function answer(status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer {
  return { status, headers, body: JSON.stringify(body) };
}
