/** Time, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch; may be wrong, and may be set back. */
  nowMs(): number;
  /** Milliseconds since some moment: never goes back, but may stand still while the process is frozen. */
  monotonicMs(): number;
  sleep(ms: number): Sleep;
}

/** A wait. One that is cancelled never ends, and keeps no process alive. */
export type Sleep = Promise<void> & { cancel?: () => void };

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => {
    let timer: NodeJS.Timeout;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    return Object.assign(over, { cancel: () => clearTimeout(timer) });
  },
};

/** A moment on both clocks. It has come as soon as either clock says so. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** A moment that has come. */
export const EARLIER: Moment = { wallMs: -Infinity, monotonicMs: -Infinity };

/** The present moment. */
export function now(clock: Clock): Moment {
  return { wallMs: clock.nowMs(), monotonicMs: clock.monotonicMs() };
}

/** The moment that comes so much after another. */
export function after(moment: Moment, ms: number): Moment {
  return { wallMs: moment.wallMs + ms, monotonicMs: moment.monotonicMs + ms };
}

/** Time until a moment, in ms; 0 or less once it has come. */
export function timeLeftMs(moment: Moment, clock: Clock): number {
  return Math.min(moment.wallMs - clock.nowMs(), moment.monotonicMs - clock.monotonicMs());
}
