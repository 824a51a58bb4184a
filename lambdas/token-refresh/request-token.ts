import { type IssuedToken } from '../shared/domain/token-answer';
import { PlatformUnavailableError } from '../shared/domain/token-errors';
import { type Clock, type Metrics, type Random, type TokenIssuer, type TokenRequest } from '../shared/ports';

const TRIES = 3;
const REQUEST_TIMEOUT_MS = 5_000;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 4_000;

/** What a request with its repetitions needs. */
export interface RequestTokenPorts {
  issuer: TokenIssuer;
  clock: Clock;
  random: Random;
  metrics: Metrics;
}

/**
 * Requests a token, at most three times inside the deadline. Repeating is safe: a token too many is discarded.
 * Only an outage is retried, with full jitter, or after what Retry-After says where that fits the deadline.
 * @throws {TokenError}
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export async function requestToken(
  ports: RequestTokenPorts,
  request: Omit<TokenRequest, 'timeoutMs'>,
  deadlineMs: number,
): Promise<IssuedToken> {
  const { issuer, clock, random, metrics } = ports;
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = deadlineMs - clock.nowMs();
    try {
      metrics.count('TokenRequest');
      return await issuer.requestToken({
        ...request,
        timeoutMs: Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs)),
      });
    } catch (error) {
      if (!(error instanceof PlatformUnavailableError) || !error.isRetryable || attempt === TRIES)
        throw error;
      const backoffMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt);
      const waitMs = error.retryAfterMs ?? backoffMs;
      if (clock.nowMs() + waitMs >= deadlineMs) throw error;
      await clock.sleep(waitMs);
    }
  }
}
