import { type Clock } from '../shared/ports';

/** Least rate, so that a platform that answers 429 to everyone is still asked. */
const LEAST_PER_SEC = 0.5;
/** A 429 lowers the rate to this share of it, and each token raises it again by so much. */
const SLOWER = 0.7;
const FASTER_PER_SEC = 0.05;
/** Requests that may go out at once, in ms of the rate: a small deployment never waits. */
const BURST_MS = 800;
/** Longest pause that one tenant's 429 causes for all. Outages have a circuit breaker. */
const LONGEST_PAUSE_MS = 10_000;

/**
 * Spreads the token requests of a sweep: at most so many a second, for all tenants together. Slows down and pauses if the
 * platform answers 429 to several tenants, and speeds up again with the tokens that it grants.
 */
export class RequestPace {
  /** Requests per second that the platform accepts, as far as its answers show. */
  perSec: number;
  private readonly mostPerSec: number;
  /** When the next request would be sent without a burst, in ms by the monotonic clock. */
  private nextMs = -Infinity;
  /** Tenants that got a 429 and no token since. Each slows the others down once: its limit may be its own. */
  private readonly limited = new Set<string>();
  private isLimitedLast = false;

  /** @param mostPerSec requests per second */
  constructor(mostPerSec: number) {
    this.mostPerSec = mostPerSec;
    this.perSec = mostPerSec;
  }

  /** Whether a request would have its turn before `endsAtMs`, by the monotonic clock. */
  hasTurn(clock: Clock, endsAtMs: number): boolean {
    return this.nextTurnMs(clock) < endsAtMs;
  }

  /**
   * Waits until a request may be sent.
   * @param endsAtMs the turn must come before this, in ms by the monotonic clock
   * @returns false, at once, if it would not
   */
  async turn(clock: Clock, endsAtMs: number): Promise<boolean> {
    const waitMs = this.nextTurnMs(clock) - clock.monotonicMs();
    if (!this.hasTurn(clock, endsAtMs)) return false;
    this.sent(clock);
    if (waitMs > 0) await clock.sleep(waitMs);
    return true;
  }

  /** Counts a request that was sent without a turn, such as a retry: the next turn comes later. */
  sent(clock: Clock): void {
    this.nextMs = Math.max(this.nextMs, clock.monotonicMs()) + 1000 / this.perSec;
  }

  granted(tenantId: string): void {
    this.limited.delete(tenantId);
    this.isLimitedLast = false;
    this.perSec = Math.min(this.mostPerSec, this.perSec + FASTER_PER_SEC);
  }

  /** @param retryAfterMs as the platform states it, 0 if it does not */
  limitedFor(clock: Clock, tenantId: string, retryAfterMs: number): void {
    if (this.limited.has(tenantId)) return;
    this.limited.add(tenantId);
    this.perSec = Math.max(LEAST_PER_SEC, this.perSec * SLOWER);
    // Two in a row concern everyone.
    if (this.isLimitedLast) {
      const resumesMs = clock.monotonicMs() + Math.min(retryAfterMs, LONGEST_PAUSE_MS);
      this.nextMs = Math.max(this.nextMs, resumesMs + BURST_MS);
    }
    this.isLimitedLast = true;
  }

  /** By the monotonic clock. */
  private nextTurnMs(clock: Clock): number {
    return Math.max(clock.monotonicMs(), this.nextMs - BURST_MS);
  }
}
