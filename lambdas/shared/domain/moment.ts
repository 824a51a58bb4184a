/** A moment on both clocks of a process. */
export interface Moment {
  /** Milliseconds since the epoch, by a clock that may be set. */
  wallMs: number;
  /** Milliseconds by a clock that never goes back, but may stand still while the process is frozen. */
  monotonicMs: number;
}

/** This moment, by the clocks of the process. */
export function momentOf(clock: { nowMs(): number; monotonicMs(): number }): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * The time from one moment to the next, in ms, for what a process remembers between invocations: by the clock that saw
 * more of it. Where the wall clock was set back the other one counts, and the wall clock where the process was frozen.
 */
export function elapsedMs(since: Moment, now: Moment): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}
