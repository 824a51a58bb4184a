/** A moment on both clocks of a process. */
export interface Moment {
  /** Milliseconds since the epoch, by a clock that may be set back. */
  readonly wallMs: number;
  /** Milliseconds by a clock that never goes back, but may stop while the process is frozen. */
  readonly monotonicMs: number;
}

/** The current moment. */
export function momentOf(clock: { nowMs(): number; monotonicMs(): number }): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/**
 * The time between two moments, in ms: the larger one of the two clocks. So a wall clock that was set back and a monotonic
 * clock that stopped while the process was frozen both do no harm.
 */
export function elapsedMs(since: Moment, now: Moment): number {
  return Math.max(now.wallMs - since.wallMs, now.monotonicMs - since.monotonicMs);
}
