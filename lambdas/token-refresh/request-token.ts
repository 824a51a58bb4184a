import { momentOf } from '../../core/calls/moment';
import { type IssuedToken } from '../../core/tokens/token-answer';
import { PlatformUnavailableError, type TokenError } from '../../core/tokens/token-errors';
import { type Clock, type Metrics, type Random, type TokenIssuer, type TokenRequest } from '../shared/ports';
import { ANY_FAILING, type InterfaceOfTenant, type RefreshMemory, tenantAtInterface } from './refresh-memory';

const TRIES = 3;
const REQUEST_TIMEOUT_MS = 5_000;
const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 4_000;
/** An outage is remembered for three times as long as its requests took, so that a failing tenant uses a share of the time only. */
const MIN_OUTAGE_MS = 10_000;
const OUTAGE_FACTOR = 3;

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
 * sends it, otherwise with full jitter. Retries are safe: an extra token is discarded. No tenant's failure keeps another
 * from its request, but {@link RefreshMemory.mayRetry} may leave it one attempt.
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
  const { tenantId } = request;
  const key = { tenantId, interface: request.tokenType.interface };
  const startedMs = clock.monotonicMs();
  let survived: PlatformUnavailableError | undefined;
  for (let attempt = 1; ; attempt += 1) {
    await waitUntilAllowed(ports, key, deadlineMs);
    // The first attempt has had its turn.
    if (attempt > 1) memory.pace?.sent(clock);
    try {
      metrics.count('TokenRequest');
      const leftMs = deadlineMs - clock.monotonicMs();
      const timeoutMs = Math.max(1, Math.min(REQUEST_TIMEOUT_MS, leftMs));
      const issued = await issuer.requestToken({ ...request, timeoutMs });
      memory.issued(key);
      memory.pace?.issued(clock, tenantId);
      return { issued, attempts: attempt, survived };
    } catch (error) {
      if (!(error instanceof PlatformUnavailableError)) throw error;
      survived = error;
      memory.failed(key, error, momentOf(clock));
      // Right away, so that the tenant's other renewals wait for Retry-After too.
      if (hasRetryAfter(error)) remember(error, error.retryAfterMs);
      if (error.isRateLimit) memory.pace?.limited(clock, tenantId);
      const backoffMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt);
      const waitMs = hasRetryAfter(error) ? error.retryAfterMs : backoffMs;
      const isOver = attempt === TRIES || !memory.mayRetry(key) || clock.monotonicMs() + waitMs >= deadlineMs;
      if (isOver || !error.isRetryable) throw giveUp(error);
      await clock.sleep(waitMs);
    }
  }

  function remember(error: PlatformUnavailableError, forMs: number): void {
    memory.outages.remember(tenantAtInterface(key), error, momentOf(clock), forMs);
  }

  function giveUp(error: PlatformUnavailableError): TokenError {
    const outageMs = Math.max(MIN_OUTAGE_MS, (clock.monotonicMs() - startedMs) * OUTAGE_FACTOR);
    const retryAfterMs = hasRetryAfter(error) ? error.retryAfterMs : outageMs;
    remember(error, retryAfterMs);
    pauseFailingTenants(ports, error, clock.monotonicMs() - startedMs);
    return error.with({ retryAfterMs });
  }
}

/**
 * Waits for the tenant's remaining Retry-After, if it ends before the deadline.
 * @throws {TokenError} if it does not, or while an outage of the tenant is remembered
 */
export async function waitUntilAllowed(
  ports: Pick<RequestTokenPorts, 'clock' | 'memory'>,
  key: InterfaceOfTenant,
  deadlineMs: number,
): Promise<void> {
  const { clock, memory } = ports;
  for (;;) {
    const now = momentOf(clock);
    const outage = memory.outages.find(tenantAtInterface(key), now);
    if (outage === undefined) return;
    if (!hasRetryAfter(outage.error) || now.monotonicMs + outage.leftMs >= deadlineMs)
      throwIfRemembered(outage);
    pauseFailingTenants(ports, outage.error, outage.leftMs);
    await clock.sleep(outage.leftMs);
  }
}

/**
 * token-refresh serves one caller at a time. All failing tenants together may use a quarter of its time, and leave the rest to
 * the others.
 * @param tookMs time that a failing tenant used
 */
function pauseFailingTenants(
  { clock, memory }: Pick<RequestTokenPorts, 'clock' | 'memory'>,
  error: TokenError,
  tookMs: number,
): void {
  if (memory.pace !== undefined) return;
  memory.outages.remember(ANY_FAILING, error, momentOf(clock), tookMs * OUTAGE_FACTOR);
}

/** @throws {TokenError} the remembered failure, if any */
export function throwIfRemembered(remembered: { error: TokenError; leftMs: number } | undefined): void {
  if (remembered === undefined) return;
  const { error, leftMs } = remembered;
  const message = `${error.message}; the next attempt is possible in ${Math.ceil(leftMs / 1000)} s`;
  throw error.with({ message, retryAfterMs: leftMs });
}

/** Whether the platform sent a Retry-After above zero. */
function hasRetryAfter(error: TokenError): error is TokenError & { retryAfterMs: number } {
  return error.retryAfterMs !== undefined && error.retryAfterMs > 0;
}
