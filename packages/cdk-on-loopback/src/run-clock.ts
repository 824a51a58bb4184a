import { firstIndex } from './first-index';
import { type Clock } from './interfaces';

/** A timer that has not fired. */
export interface ClockTimer {
  cancel(): void;
}

/** Calls `run` once after `delayMs` of real time. Returns a function that cancels it. */
export type StartTimer = (run: () => void, delayMs: number) => () => void;

export const startRealTimer: StartTimer = (run, delayMs) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** Real time and real timers; tests replace it with a fixed time. */
export interface WallTime {
  nowMs(): number;
  startTimer: StartTimer;
}

interface RunClockEvents {
  /** The clock was advanced and is now `offsetMs` ahead of real time. Awaited before the timers of that moment fire. */
  onOffset?(offsetMs: number): Promise<void> | void;
  /** A timer's function or held work failed outside `advance`, where no caller sees the error. */
  onError?(error: unknown): void;
}

/** An advance of the clock that is under way. */
interface ClockJump {
  fromMs: number;
  toMs: number;
}

interface Entry {
  dueMs: number;
  run: () => void | Promise<void>;
}

/** A longer jump is treated like a laptop that was asleep: schedules and alarms skip a part of it. */
export const MAX_FULL_JUMP_MS = 24 * 60 * 60 * 1000;

/** Node's timers take at most 2^31-1 ms, so longer waits are split. */
const MAX_WAIT_MS = 60 * 60 * 1000;

const REAL_TIME: WallTime = { nowMs: () => Date.now(), startTimer: startRealTimer };

/**
 * The clock of the local run: real time plus an offset that only grows. Timers fire in the order of their due times,
 * whether time passes or is advanced.
 */
export class RunClock implements Clock {
  private readonly wall: WallTime;
  private readonly events: RunClockEvents;
  private readonly held = new Set<Promise<unknown>>();
  /** By due time, and those of the same time in the order of the calls. Large accounts have thousands. */
  private entries: Entry[] = [];
  private currentOffsetMs = 0;
  private jump: ClockJump | undefined;
  private advancing: Promise<void> | undefined;
  private stopWaiting: (() => void) | undefined;

  constructor(events: RunClockEvents = {}, wall: WallTime = REAL_TIME) {
    this.events = events;
    this.wall = wall;
  }

  nowMs(): number {
    return this.wall.nowMs() + this.currentOffsetMs;
  }

  /** How far the clock is ahead of real time. */
  offsetMs(): number {
    return this.currentOffsetMs;
  }

  /** The `advance` call in progress. */
  currentJump(): ClockJump | undefined {
    return this.jump;
  }

  /** Calls `run` at `dueMs` on this clock, or as soon as possible if that has passed, but never within this call. */
  at(dueMs: number, run: () => void | Promise<void>): ClockTimer {
    const entry: Entry = { dueMs, run };
    const index = firstIndex(this.entries, (other) => other.dueMs > dueMs);
    this.entries.splice(index, 0, entry);
    // Real timers stand still while a laptop sleeps: the first one may be overdue.
    if (index === 0 || this.entries[0]!.dueMs <= this.nowMs()) this.wait();
    return {
      cancel: () => {
        const at = this.entries.indexOf(entry);
        if (at >= 0) this.entries.splice(at, 1);
        if (at === 0) this.wait();
      },
    };
  }

  /** Makes `advance` wait until `work` has settled. */
  hold(work: Promise<unknown>): void {
    const ended = work
      .catch((error: unknown) => this.events.onError?.(error))
      .finally(() => this.held.delete(ended));
    this.held.add(ended);
  }

  /** Resolves when no held work is left. */
  async idle(): Promise<void> {
    while (this.held.size > 0) await Promise.all(this.held);
  }

  /**
   * Advances the clock by exactly `sec` seconds. Timers due on the way fire at their own times, in order. Time moves on
   * once they, and the work they started, have ended.
   * @throws whatever a timer's function throws; the clock then stays at that timer's time
   */
  advance(sec: number): Promise<void> {
    const advancing: Promise<void> = (this.advancing ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => this.advanceNow(sec * 1000))
      .finally(() => {
        this.jump = undefined;
        if (this.advancing === advancing) this.advancing = undefined;
        this.wait();
      });
    this.advancing = advancing;
    this.wait();
    return advancing;
  }

  /** Discards all timers. */
  close(): void {
    this.entries = [];
    this.wait();
  }

  private async advanceNow(byMs: number): Promise<void> {
    const targetOffsetMs = this.currentOffsetMs + byMs;
    this.jump = { fromMs: this.nowMs(), toMs: this.nowMs() + byMs };
    for (;;) {
      await this.idle();
      const next = this.entries[0];
      if (!next || next.dueMs > this.wall.nowMs() + targetOffsetMs) break;
      await this.setOffset(Math.max(this.currentOffsetMs, next.dueMs - this.wall.nowMs()));
      while (this.entries[0] && this.entries[0].dueMs <= this.nowMs()) await this.entries.shift()!.run();
    }
    await this.setOffset(targetOffsetMs);
  }

  private async setOffset(offsetMs: number): Promise<void> {
    if (offsetMs === this.currentOffsetMs) return;
    this.currentOffsetMs = offsetMs;
    await this.events.onOffset?.(offsetMs);
  }

  /** Sleeps until the first timer is due. While the clock is advanced, only `advance` fires timers. */
  private wait(): void {
    this.stopWaiting?.();
    this.stopWaiting = undefined;
    const next = this.entries[0];
    if (!next || this.advancing) return;
    const delayMs = Math.min(Math.max(next.dueMs - this.nowMs(), 0), MAX_WAIT_MS);
    this.stopWaiting = this.wall.startTimer(() => this.fireDue(), delayMs);
  }

  private fireDue(): void {
    while (this.entries[0] && this.entries[0].dueMs <= this.nowMs()) {
      const due = this.entries.shift();
      this.hold(Promise.resolve().then(() => due?.run()));
    }
    this.wait();
  }
}
