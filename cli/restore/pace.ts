import { RETRY_AFTER_CAP_MS } from '../../core/calls/retry-after';
import { type RestoreFailure } from './answer';

/** Waits in a row without an accepted request, about three minutes in all: more are useless. */
const MAX_WAITS = 8;
const FIRST_WAIT_MS = 1_000;

/** A pause after a throttled request. */
export interface Wait {
  readonly waitMs: number;
  /** The detail of the throttled response, as in the contract. */
  readonly detail: string;
}

/** How long all requests pause after one was throttled. */
export class Pace {
  readonly #nowMs: () => number;
  #pausedUntilMs = 0;
  #detail = '';
  #waits = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The time until the next request may be sent; undefined if that is now. */
  remaining(): Wait | undefined {
    const waitMs = this.#pausedUntilMs - this.#nowMs();
    return waitMs > 0 ? { waitMs, detail: this.#detail } : undefined;
  }

  /** A request was not throttled. */
  accepted(): void {
    this.#waits = 0;
  }

  /**
   * A request was throttled. The wait doubles each time in a row, and is at least as long as the answer asks.
   * @param sentAtMs when it was sent; a request sent before the last wait does not double the next one
   * @returns false if more waiting is useless
   */
  slowDown(
    sentAtMs: number,
    { detail, retryAfterMs = 0 }: Pick<RestoreFailure, 'detail' | 'retryAfterMs'>,
  ): boolean {
    if (sentAtMs >= this.#pausedUntilMs) this.#waits += 1;
    const ownMs = Math.min(FIRST_WAIT_MS * 2 ** (this.#waits - 1), RETRY_AFTER_CAP_MS);
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#nowMs() + Math.max(ownMs, retryAfterMs));
    this.#detail = detail;
    return this.#waits <= MAX_WAITS;
  }
}
