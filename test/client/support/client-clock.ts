import { type Clock, type Sleep } from '../../../client/clock';

export const NOON_MS = Date.UTC(2026, 0, 31, 12);

/**
 * A clock that stops while there is work, and jumps to the next wake-up when everyone sleeps. Needs fakes that finish within
 * microtasks; for others, sleepers can be set to never wake.
 */
export class ClientClock implements Clock {
  /** Every completed wait, in ms. */
  readonly sleptMs: number[] = [];
  wakesSleepers = true;
  #sleepers: { wakeMs: number; wake: () => void }[] = [];
  readonly #startedMs: number;
  #trueMs: number;
  #wallOffMs = 0;
  #frozenMs = 0;

  constructor(startedMs = NOON_MS) {
    this.#startedMs = this.#trueMs = startedMs;
  }

  /** The true time. */
  get trueMs(): number {
    return this.#trueMs;
  }

  nowMs(): number {
    return this.#trueMs + this.#wallOffMs;
  }

  monotonicMs(): number {
    return this.#trueMs - this.#startedMs - this.#frozenMs;
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#trueMs += ms;
  }

  /** Lets time pass while the process is frozen: its monotonic clock stops. */
  freeze(ms: number): void {
    this.#trueMs += ms;
    this.#frozenMs += ms;
  }

  /** Sets the difference between the wall clock and the true time; negative is slow. */
  setOff(byMs: number): void {
    this.#wallOffMs = byMs;
  }

  sleep(ms: number): Sleep {
    let isCancelled = false;
    let cancel = (): void => undefined;
    const over = new Promise<void>((resolve) => {
      const sleeper = { wakeMs: this.#trueMs + ms, wake: () => (this.sleptMs.push(ms), resolve()) };
      this.#sleepers.push(sleeper);
      cancel = () => {
        if (!this.#sleepers.includes(sleeper)) return;
        isCancelled = true;
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      };
    });
    if (this.wakesSleepers) setImmediate(() => isCancelled || this.#wakeNext());
    return Object.assign(over, { cancel });
  }

  #wakeNext(): void {
    this.#sleepers.sort((a, b) => a.wakeMs - b.wakeMs);
    const next = this.#sleepers.shift();
    if (next === undefined) return;
    this.#trueMs = Math.max(this.#trueMs, next.wakeMs);
    next.wake();
  }
}

/** Runs everything that needs no time. */
export async function workIsDone(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
