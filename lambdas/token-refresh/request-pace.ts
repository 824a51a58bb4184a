import { type Clock } from '../shared/ports';

/** Minimum share of the rate, so that no limit keeps the other tenants from their turns. */
const MIN_SHARE = 0.25;
/** A common limit lowers the rate to this share of it, and each token raises it again by so much. */
const SLOWER = 0.7;
const FASTER_PER_SEC = 0.05;
/** Tenants that got a 429 in a row, without a token for anyone, before the rate is halved until the next token. */
const TENANTS_IN_A_ROW = 3;
/** A limit that ends sooner was not the tenant's own: it ended because requests of others did. */
const COMMON_LIMIT_MS = 15_000;
/** Requests that may go out at once, in ms of the rate: a small deployment never waits. */
const BURST_MS = 800;

/**
 * Spreads the token requests of a sweep: at most so many a second, for all tenants together. Slows down if the platform
 * answers 429 to several tenants and then issues them tokens, or to all. A limit that one tenant has for itself slows nobody.
 */
export class RequestPace {
  private readonly mostPerSec: number;
  private commonPerSec: number;
  /** When the next request would be sent without a burst, in ms by the monotonic clock. */
  private nextMs = -Infinity;
  /** By tenants that got a 429 and no token since: when it last did, in ms by the monotonic clock. */
  private readonly limitedAtMs = new Map<string, number>();
  private tenantsInARow = 0;
  /** The tenant that slowed the others down last: a single one does so once. */
  private slowedBy: string | undefined;

  /** @param mostPerSec requests per second */
  constructor(mostPerSec: number) {
    this.mostPerSec = mostPerSec;
    this.commonPerSec = mostPerSec;
  }

  /** Requests per second that the platform accepts, as far as its answers show. */
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

  issued(clock: Clock, tenantId: string): void {
    const limitedMs = clock.monotonicMs() - (this.limitedAtMs.get(tenantId) ?? -Infinity);
    this.limitedAtMs.delete(tenantId);
    this.tenantsInARow = 0;
    if (limitedMs >= COMMON_LIMIT_MS) {
      this.commonPerSec = Math.min(this.mostPerSec, this.commonPerSec + FASTER_PER_SEC);
    } else if (this.slowedBy !== tenantId) {
      this.slowedBy = tenantId;
      this.commonPerSec = Math.max(this.mostPerSec * MIN_SHARE, this.commonPerSec * SLOWER);
    }
  }

  limited(clock: Clock, tenantId: string): void {
    if (!this.limitedAtMs.has(tenantId)) this.tenantsInARow += 1;
    this.limitedAtMs.set(tenantId, clock.monotonicMs());
  }

  /** By the monotonic clock. */
  private nextTurnMs(clock: Clock): number {
    return Math.max(clock.monotonicMs(), this.nextMs - BURST_MS);
  }
}
