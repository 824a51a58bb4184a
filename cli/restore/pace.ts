import { RETRY_AFTER_CAP_MS } from '../../lambdas/shared/domain/retry-after';

/** Waits in a row without an accepted request, about three minutes in all: more are useless. */
const MAX_WAITS = 8;
const FIRST_WAIT_MS = 1_000;
/** Random extra wait, so that several runs do not resume at the same time. */
const SPREAD_MS = 250;

interface PaceOptions {
  readonly nowMs: () => number;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** A pause after a throttled request. */
export interface Wait {
  readonly waitMs: number;
  /** The detail of the throttled response, as in the contract. */
  readonly detail: string;
}

/** How long all requests pause after one was throttled. */
export class Pace {
  readonly #options: PaceOptions;
  #pausedAtMs = 0;
  #pausedUntilMs = 0;
  #waits = 0;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Milliseconds until the next request may be sent. */
  get waitMs(): number {
    return Math.max(0, this.#endOfPauseMs - this.#options.nowMs());
  }

  /** A request was neither throttled nor lost. */
  accepted(): void {
    this.#waits = 0;
  }

  /**
   * A request was throttled. The wait doubles each time in a row, and is at least `retryAfterMs`.
   * @param sentAtMs when it was sent; a request sent before the last wait does not double the next one
   * @returns false if more waiting is useless
   */
  slowDown(sentAtMs: number, retryAfterMs = 0): boolean {
    const { nowMs, random } = this.#options;
    const endOfPauseMs = this.#endOfPauseMs;
    if (sentAtMs >= endOfPauseMs) this.#waits += 1;
    const ownMs = Math.min(FIRST_WAIT_MS * 2 ** (this.#waits - 1), RETRY_AFTER_CAP_MS);
    const untilMs = nowMs() + Math.max(ownMs, retryAfterMs) + random() * SPREAD_MS;
    this.#pausedUntilMs = Math.max(endOfPauseMs, untilMs);
    this.#pausedAtMs = nowMs();
    return this.#waits <= MAX_WAITS;
  }

  /** Setting the clock back ends the pause, which would otherwise get longer. */
  get #endOfPauseMs(): number {
    return this.#options.nowMs() < this.#pausedAtMs ? -Infinity : this.#pausedUntilMs;
  }
}
