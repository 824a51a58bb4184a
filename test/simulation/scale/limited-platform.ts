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

/** Whether the platform ever refuses this tenant's credential. */
export const refuses = (tenantId: string) => Number(tenantId.split('-')[1]) % REFUSED_IN === 0;

/**
 * Token endpoints that are slow, limit requests, are down once, and later refuse some credentials.
 * @param requestsPerSec that it accepts, of all tenants and on all endpoints together
 */
export function limitedPlatform(
  clock: Clock,
  random: SeededRandom,
  { requestsPerSec, outage, refusal }: { requestsPerSec: number; outage: Span; refusal: Span },
) {
  const isWithinLimit = limitOf(clock, requestsPerSec);
  const requestsByMinute = new Map<number, number>();
  let grants = 0;

  const sendRequest: typeof sendHttps = async ({ url, totalTimeoutMs }) => {
    const sentMs = clock.nowMs();
    const minute = Math.floor(sentMs / MINUTE_MS);
    requestsByMinute.set(minute, (requestsByMinute.get(minute) ?? 0) + 1);
    if (isWithin(outage, sentMs)) {
      if (random.chance(0.5)) {
        await clock.sleep(totalTimeoutMs);
        throw new HttpsError('timeout', 'simulated', true);
      }
      await clock.sleep(QUICK_MS);
      return answer(503, {});
    }
    if (!isWithinLimit()) {
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
    if (isWithin(refusal, sentMs) && refuses(tenantId)) return answer(401, { error: 'invalid_client' });
    grants += 1;
    return answer(200, { access_token: `token-${grants}`, token_type: 'Bearer', expires_in: 3600 });
  };

  return { sendRequest, mostRequestsAMinute: () => Math.max(...requestsByMinute.values()) };
}

function answer(status: number, body: object, headers: HttpsAnswer['headers'] = {}): HttpsAnswer {
  return { status, headers, body: JSON.stringify(body) };
}
