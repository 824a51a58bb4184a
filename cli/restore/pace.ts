import { RETRY_AFTER_CAP_MS } from '../../lambdas/shared/domain/retry-after';

/** After so many waits with nothing accepted between them, waiting is of no use: about three minutes. */
const MAX_WAITS = 8;
const FIRST_WAIT_MS = 1_000;
/** Beyond what is asked for, so that several runs do not come back at the same moment. */
const SPREAD_MS = 250;

interface PaceOptions {
  readonly nowMs: () => number;
  /** From 0 to 1, 1 excluded. */
  readonly random: () => number;
}

/** That nothing is sent, since fewer requests were asked for. */
export interface Wait {
  readonly waitMs: number;
  /** What was asked for: a sentence of the contract. */
  readonly detail: string;
}

/** How long all have to wait before the next request, when fewer are asked for. */
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
   * A request was throttled. Each time in a row the wait is twice as long, and never shorter than is asked for.
   * @param sentAtMs one that was sent before the last wait says nothing new
   * @returns false where waiting is of no use any more
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

  /** A clock that was set back would make a pause as long as that: then it is over. */
  get #endOfPauseMs(): number {
    return this.#options.nowMs() < this.#pausedAtMs ? -Infinity : this.#pausedUntilMs;
  }
}
