import { type Moment } from '../../../lambdas/shared/domain/moment';
import { type Clock } from '../../../lambdas/shared/ports';

/** Noon of a day, where every test of the functions begins. */
export const NOON_MS = Date.UTC(2026, 0, 31, 12);

/** A moment after noon, by clocks that nobody set or froze. */
export function momentAt(afterMs: number): Moment {
  return { wallMs: NOON_MS + afterMs, monotonicMs: afterMs };
}

/**
 * A clock that stands still while there is work, and jumps to the next waking when everyone sleeps.
 * It counts on fakes that finish within microtasks.
 */
export class VirtualClock implements Clock {
  /** Every wait that was asked for, in ms. */
  readonly sleepsMs: number[] = [];
  readonly #sleepers: { wakeMs: number; wake: () => void }[] = [];
  #nowMs: number;
  /** How far the wall clock was set against the time that passes. */
  #setMs = 0;

  constructor(nowMs = NOON_MS) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs + this.#setMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }

  /** Sets the wall clock, backwards where negative, while no time passes. */
  set(byMs: number): void {
    this.#setMs += byMs;
  }

  sleep(ms: number): Promise<void> {
    this.sleepsMs.push(ms);
    return new Promise((wake) => {
      this.#sleepers.push({ wakeMs: this.#nowMs + ms, wake });
      setImmediate(() => this.#wakeNext());
    });
  }

  #wakeNext(): void {
    this.#sleepers.sort((a, b) => a.wakeMs - b.wakeMs);
    const { wakeMs, wake } = this.#sleepers.shift()!;
    this.#nowMs = Math.max(this.#nowMs, wakeMs);
    wake();
  }
}
