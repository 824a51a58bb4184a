import { type Clock } from '../../../lambdas/shared/ports';

/** Events after which other work of the process, such as output, gets its turn. */
const EVENTS_AT_A_TIME = 100_000;

/**
 * Virtual time for millions of waits. It stops while code runs, and jumps to the next due moment once everything waits.
 * Fakes must finish within microtasks.
 */
export class EventTime implements Clock {
  readonly #startMs: number;
  #elapsedMs = 0;
  /** A binary heap: each wait is due no later than its two children. */
  readonly #dueMs: number[] = [];
  readonly #wakes: (() => void)[] = [];

  /** @param startMs since the epoch */
  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  nowMs(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => this.#add(this.#elapsedMs + Math.max(0, ms), wake));
  }

  /** Lets time pass until a moment, in ms since the start. */
  runUntil(endMs: number): Promise<void> {
    return new Promise((resolve) => {
      let events = 0;
      // A tick that a microtask asks for runs once no microtask is left, and costs a fraction of a macrotask.
      const afterMicrotasks = () => process.nextTick(step);
      const step = (): void => {
        const dueMs = this.#dueMs[0];
        if (dueMs === undefined || dueMs > endMs) {
          this.#elapsedMs = endMs;
          resolve();
          return;
        }
        this.#elapsedMs = dueMs;
        this.#take()();
        events += 1;
        if (events % EVENTS_AT_A_TIME === 0) setImmediate(step);
        else queueMicrotask(afterMicrotasks);
      };
      setImmediate(step);
    });
  }

  #add(dueMs: number, wake: () => void): void {
    const due = this.#dueMs;
    const wakes = this.#wakes;
    let at = due.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (due[parent]! <= dueMs) break;
      due[at] = due[parent]!;
      wakes[at] = wakes[parent]!;
      at = parent;
    }
    due[at] = dueMs;
    wakes[at] = wake;
  }

  #take(): () => void {
    const due = this.#dueMs;
    const wakes = this.#wakes;
    const first = wakes[0]!;
    const lastDueMs = due.pop()!;
    const lastWake = wakes.pop()!;
    const length = due.length;
    if (length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && due[child + 1]! < due[child]!) child += 1;
      if (due[child]! >= lastDueMs) break;
      due[at] = due[child]!;
      wakes[at] = wakes[child]!;
      at = child;
    }
    due[at] = lastDueMs;
    wakes[at] = lastWake;
    return first;
  }
}
