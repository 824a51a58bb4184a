import { type WallTime } from '../../../local/run-clock';
import { type Clock } from '../../../lambdas/shared/ports';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

interface Timer {
  dueMs: number;
  wake: () => void;
}

/** Longer than anything that a test waits for. */
const PATIENCE_MS = 60 * 60_000;

/**
 * Time that goes on only where a test drives it: timers fire in their order, each after all that the one before has
 * set going came to rest. It counts on fakes that finish within microtasks.
 */
export class DrivenTime implements WallTime, Clock {
  #nowMs = NOON_MS;
  /** Who is due first comes first. */
  readonly #timers: Timer[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  startTimer(wake: () => void, delayMs: number): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, wake };
    const place = this.#timers.findLastIndex(({ dueMs }) => dueMs <= timer.dueMs) + 1;
    this.#timers.splice(place, 0, timer);
    return () => {
      const at = this.#timers.indexOf(timer);
      if (at !== -1) this.#timers.splice(at, 1);
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.startTimer(wake, ms));
  }

  /** What a call takes: nobody wakes meanwhile. */
  pass(ms: number): void {
    this.#nowMs += ms;
  }

  /** Lets time go on until the work has ended. @throws {Error} where it waits for something else than time */
  async until<Result>(work: Promise<Result>): Promise<Result> {
    let isOver = false;
    const over = () => (isOver = true);
    void work.then(over, over);
    const patienceEndsMs = this.#nowMs + PATIENCE_MS;
    for (await rest(); !isOver; await rest()) {
      if (this.#timers.length === 0 || this.#nowMs > patienceEndsMs) throw new Error('it never ends');
      this.#fireNext();
    }
    return work;
  }

  /** Lets so much time go by. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (await rest(); (this.#timers[0]?.dueMs ?? Infinity) <= untilMs; await rest()) this.#fireNext();
    this.#nowMs = Math.max(this.#nowMs, untilMs);
  }

  #fireNext(): void {
    const { dueMs, wake } = this.#timers.shift()!;
    this.#nowMs = Math.max(this.#nowMs, dueMs);
    wake();
  }
}

/** Until nobody has anything to do but to wait. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
