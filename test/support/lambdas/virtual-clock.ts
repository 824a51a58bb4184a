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
  /** Who wakes first comes first. */
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

  /** A wait that is cancelled never ends, and no time passes for it. */
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
      // One who is awake already may have been woken by another's waking, and its own is then the other's.
      if (at === -1) return;
      this.#sleepers.splice(at, 1);
      clearImmediate(waking);
    };
    return Object.assign(over, { cancel });
  }

  #wakeNext(): void {
    const next = this.#sleepers.shift();
    // A waking is left over where its sleeper was cancelled after it had woken another one.
    if (next === undefined) return;
    this.#nowMs = Math.max(this.#nowMs, next.wakeMs);
    next.wake();
  }
}
