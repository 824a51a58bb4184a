import { type WallTime } from 'cdk-on-loopback/testing';
import { type Clock } from '../../../lambdas/shared/ports';
import { NOON_MS } from '../lambdas/virtual-clock';

interface Timer {
  dueMs: number;
  wake: () => void;
}

/** Longer than any wait of a test. */
const PATIENCE_MS = 60 * 60_000;

/**
 * Time that advances only when a test drives it. Timers fire in order, each after all work of the previous
 * one has settled; so fakes must finish within microtasks.
 */
export class DrivenTime implements WallTime, Clock {
  #nowMs = NOON_MS;
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

  /** Advances the time of a call without firing timers. */
  pass(ms: number): void {
    this.#nowMs += ms;
  }

  /**
   * Advances time until the work has finished.
   * @throws {Error} if the work waits for anything but time
   */
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

/** Resolves once everything waits for time only. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
