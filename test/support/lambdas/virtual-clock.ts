import { type Moment } from '../../../core/calls/moment';
import { type Clock } from '../../../lambdas/shared/ports';

/** The time at which tests of functions begin. */
export const NOON_MS = Date.UTC(2026, 0, 31, 12);

/** A moment after noon, for both the wall clock and the monotonic clock. */
export function momentAt(afterMs: number): Moment {
  return { wallMs: NOON_MS + afterMs, monotonicMs: afterMs };
}

/**
 * A clock that stops while code runs, and jumps to the next due time once everything sleeps. Fakes must
 * finish within microtasks.
 */
export class VirtualClock implements Clock {
  readonly sleepsMs: number[] = [];
  readonly #sleepers: { wakeMs: number; wake: () => void }[] = [];
  #nowMs = NOON_MS;
  /** Offset of the wall clock from elapsed time. */
  #setMs = 0;

  nowMs(): number {
    return this.#nowMs + this.#setMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Sets the wall clock without letting time pass; negative values set it back. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  /** Waits. A canceled wait never ends, and no time passes for it. */
  sleep(ms: number): Promise<void> & { cancel: () => void } {
    this.sleepsMs.push(ms);
    let wake!: () => void;
    const over = new Promise<void>((resolve) => (wake = resolve));
    const sleeper = { wakeMs: this.#nowMs + ms, wake };
    const place = this.#sleepers.findLastIndex(({ wakeMs }) => wakeMs <= sleeper.wakeMs) + 1;
    this.#sleepers.splice(place, 0, sleeper);
    const waking = setImmediate(() => this.#wakeNext());
    const cancel = () => {
      const at = this.#sleepers.indexOf(sleeper);
      // Another wake-up may have woken this sleeper already; then the wake-up due here is the other's.
      if (at === -1) return;
      this.#sleepers.splice(at, 1);
      clearImmediate(waking);
    };
    return Object.assign(over, { cancel });
  }

  #wakeNext(): void {
    const next = this.#sleepers.shift();
    // If a sleeper is canceled after it woke another, a wake-up is left without a sleeper.
    if (next === undefined) return;
    this.#nowMs = Math.max(this.#nowMs, next.wakeMs);
    next.wake();
  }
}
