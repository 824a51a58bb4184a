import { momentOf } from '../shared/domain/moment';
import { type IssuedToken } from '../shared/domain/token-answer';
import { PlatformUnavailableError, type TokenError } from '../shared/domain/token-errors';
import { type Clock, type Metrics, type Random, type TokenIssuer, type TokenRequest } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';

const TRIES = 3;
const REQUEST_TIMEOUT_MS = 5_000;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 4_000;
const OUTAGE_REMEMBERED_MS = 10_000;

export interface RequestTokenPorts {
  issuer: TokenIssuer;
  clock: Clock;
  random: Random;
  metrics: Metrics;
  memory: RefreshMemory;
}

/** A token, and the outage that the request recovered from. */
export interface RequestedToken {
  issued: IssuedToken;
  /** Requests that this took. */
  attempts: number;
  survived: PlatformUnavailableError | undefined;
}

/**
 * Requests a token, in at most three attempts before the deadline. Retries only an outage, after Retry-After if the platform
 * sends it, otherwise with full jitter. Retries are safe: an extra token is discarded.
 * @param deadlineMs by the monotonic clock
 * @throws {TokenError}
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export async function requestToken(
  ports: RequestTokenPorts,
  request: Omit<TokenRequest, 'timeoutMs'>,
  deadlineMs: number,
): Promise<RequestedToken> {
  const { issuer, clock, random, metrics, memory } = ports;
  const { baseUrl, tenantId } = request;
  let survived: PlatformUnavailableError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    await untilAllowed(ports, request, deadlineMs);
    // The first attempt has had its turn.
    if (attempt > 1) memory.pace?.sent(clock);
    try {
      metrics.count('TokenRequest');
      const leftMs = deadlineMs - clock.monotonicMs();
      const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs));
      const issued = await issuer.requestToken({ ...request, timeoutMs });
      memory.breaker.succeeded(baseUrl);
      memory.pace?.granted(tenantId);
      return { issued, attempts: attempt, survived };
    } catch (error) {
      if (!(error instanceof PlatformUnavailableError)) throw error;
      survived = error;
      // Right away, so that the tenant's other renewals wait for Retry-After too.
      if (isStated(error)) remember(error, error.retryAfterMs);
      if (error.isRateLimit) memory.pace?.limitedFor(clock, tenantId, error.retryAfterMs ?? 0);
      const backoffMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt);
      const waitMs = isStated(error) ? error.retryAfterMs : backoffMs;
      const isOver = attempt === TRIES || clock.monotonicMs() + waitMs >= deadlineMs;
      if (isOver || !error.isRetryable) throw giveUp(error);
      await clock.sleep(waitMs);
    }
  }

  function remember(error: PlatformUnavailableError, forMs: number): void {
    memory.outages.remember(outageName(request), error, momentOf(clock), forMs);
  }

  function giveUp(error: PlatformUnavailableError): TokenError {
    const retryAfterMs = isStated(error) ? error.retryAfterMs : OUTAGE_REMEMBERED_MS;
    remember(error, retryAfterMs);
    memory.breaker.failed(baseUrl, tenantId, error, momentOf(clock));
    return error.lasting(retryAfterMs);
  }
}

/**
 * Waits for the tenant's remaining Retry-After, if it ends before the deadline.
 * @throws {TokenError} if it does not, or while an outage of the tenant or the whole endpoint is remembered
 */
export async function untilAllowed(
  { clock, memory }: Pick<RequestTokenPorts, 'clock' | 'memory'>,
  request: { baseUrl: string; tenantId: string },
  deadlineMs: number,
): Promise<void> {
  for (;;) {
    const now = momentOf(clock);
    throwIfRemembered(memory.breaker.find(request.baseUrl, now));
    const outage = memory.outages.find(outageName(request), now);
    if (outage === undefined) return;
    if (!isStated(outage.error) || now.monotonicMs + outage.leftMs >= deadlineMs) throwIfRemembered(outage);
    await clock.sleep(outage.leftMs);
  }
}

/** @throws {TokenError} the remembered failure, if any */
export function throwIfRemembered(remembered: { error: TokenError; leftMs: number } | undefined): void {
  if (remembered === undefined) return;
  const { error, leftMs } = remembered;
  throw error.lasting(leftMs, `${error.message}; not retried yet`);
}

/** Whether the platform said how long to wait. Zero counts as no answer. */
function isStated(error: TokenError): error is TokenError & { retryAfterMs: number } {
  return error.retryAfterMs !== undefined && error.retryAfterMs > 0;
}

function outageName({ baseUrl, tenantId }: { baseUrl: string; tenantId: string }): string {
  return JSON.stringify([baseUrl, tenantId]);
}
