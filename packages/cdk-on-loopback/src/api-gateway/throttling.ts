import { type Clock } from '../interfaces';

/** The fill rate and size of a token bucket. */
export interface Throttle {
  ratePerSec: number;
  burst: number;
}

/** A stage's limits for one method; `*` as path and method applies to each method without its own limits. */
export interface StageThrottle extends Throttle {
  resourcePath: string;
  httpMethod: string;
}

/** The account limits in most AWS regions. @see API Gateway developer guide, limits */
export const ACCOUNT_LIMIT = { ratePerSec: 10_000, burst: 5_000 };

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/**
 * Token buckets on the run's clock, for each method with limits, and for the account.
 * @see API Gateway developer guide, api-gateway-request-throttling
 */
export class Throttling {
  private readonly clock: Clock;
  private readonly buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /**
   * Takes a token for one request from the method's bucket, then from the account's.
   * @param method identifies the method and its stage
   * @returns false if there is none, and the request must be refused
   */
  admits(method: string, limit: Throttle | undefined): boolean {
    return (limit === undefined || this.take(method, limit)) && this.take('account', ACCOUNT_LIMIT);
  }

  private take(key: string, { ratePerSec, burst }: Throttle): boolean {
    const nowMs = this.clock.nowMs();
    const bucket = this.buckets.get(key) ?? { tokens: burst, filledAtMs: nowMs };
    const refill = ((nowMs - bucket.filledAtMs) / 1000) * ratePerSec;
    bucket.tokens = Math.min(burst, bucket.tokens + refill);
    bucket.filledAtMs = nowMs;
    this.buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

export function throttleFor(
  throttles: readonly StageThrottle[],
  resourcePath: string,
  httpMethod: string,
): StageThrottle | undefined {
  const find = (path: string, method: string): StageThrottle | undefined =>
    throttles.find((each) => each.resourcePath === path && each.httpMethod === method);
  return find(resourcePath, httpMethod) ?? find('*', '*');
}
