import { type Clock } from '../shared/ports';

/** Minimum share of the configured rate: a limit slows the other tenants, but never stops them. */
const MIN_SHARE = 0.25;
/** A limit for all tenants multiplies the rate by this. */
const SLOWDOWN = 0.7;
/** Each token raises the rate by this, in requests per second. */
const SPEEDUP_PER_SEC = 0.05;
/** If so many tenants in a row get a 429, without a token for anyone, the rate is halved until the next token. */
const TENANTS_IN_A_ROW = 3;
/** If a tenant gets a token this soon after a 429, the limit was for all tenants: it ended because others sent fewer requests. */
const COMMON_LIMIT_MS = 15_000;
/** Requests of this time may be sent at once, in ms at the rate: a small deployment never waits. */
const BURST_MS = 800;

/**
 * Limits the token requests per second of a sweep, for all tenants together. Slows down if the platform answers 429 to all
 * tenants, or to several and soon issues them tokens. A limit for one tenant alone slows no other.
 */
export class RequestPace {
  private readonly maxPerSec: number;
  private commonPerSec: number;
  /** When the next request would be sent without a burst, in ms by the monotonic clock. */
  private nextMs = -Infinity;
  /** By tenant with a 429 and no token since: the time of its last 429, in ms by the monotonic clock. */
  private readonly limitedAtMs = new Map<string, number>();
  private tenantsInARow = 0;
  /** The tenant that last slowed the others down. It cannot do so twice in a row. */
  private slowedBy: string | undefined;

  /** @param maxPerSec requests per second */
  constructor(maxPerSec: number) {
    this.maxPerSec = maxPerSec;
    this.commonPerSec = maxPerSec;
  }

  /** The current rate, by the platform's answers so far. */
  get perSec(): number {
    return this.tenantsInARow < TENANTS_IN_A_ROW ? this.commonPerSec : this.commonPerSec / 2;
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
  async awaitTurn(clock: Clock, endsAtMs: number): Promise<boolean> {
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

  /** Counts a token that the platform issued. */
  issued(clock: Clock, tenantId: string): void {
    const limitedMs = clock.monotonicMs() - (this.limitedAtMs.get(tenantId) ?? -Infinity);
    this.limitedAtMs.delete(tenantId);
    this.tenantsInARow = 0;
    if (limitedMs >= COMMON_LIMIT_MS) {
      this.commonPerSec = Math.min(this.maxPerSec, this.commonPerSec + SPEEDUP_PER_SEC);
    } else if (this.slowedBy !== tenantId) {
      this.slowedBy = tenantId;
      this.commonPerSec = Math.max(this.maxPerSec * MIN_SHARE, this.commonPerSec * SLOWDOWN);
    }
  }

  /** Counts a request that the platform answered with 429. */
  limited(clock: Clock, tenantId: string): void {
    if (!this.limitedAtMs.has(tenantId)) this.tenantsInARow += 1;
    this.limitedAtMs.set(tenantId, clock.monotonicMs());
  }

  /** By the monotonic clock. */
  private nextTurnMs(clock: Clock): number {
    return Math.max(clock.monotonicMs(), this.nextMs - BURST_MS);
  }
}
