import { type Moment } from '../core/calls/moment';

export { type Moment, momentOf as now } from '../core/calls/moment';

/** A clock that tests can replace. */
export interface Clock {
  /** Milliseconds since the epoch. May be wrong, and may be set back. */
  nowMs(): number;
  /** Milliseconds since an arbitrary moment. Never goes back, but may stop while the process is frozen. */
  monotonicMs(): number;
  sleep(ms: number): Sleep;
}

/** A wait. If cancelled, it never resolves and no longer keeps the process alive. */
export type Sleep = Promise<void> & { cancel?: () => void };

/** The system clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms) => {
    let timer: NodeJS.Timeout;
    const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    return Object.assign(over, { cancel: () => clearTimeout(timer) });
  },
};

/** A moment that is always past. */
export const LONG_AGO: Moment = { wallMs: -Infinity, monotonicMs: -Infinity };

export function after(moment: Moment, ms: number): Moment {
  return { wallMs: moment.wallMs + ms, monotonicMs: moment.monotonicMs + ms };
}

/** Time until a moment, in ms; 0 or less once it is past on either clock. */
export function timeLeftMs(moment: Moment, clock: Clock): number {
  return Math.min(moment.wallMs - clock.nowMs(), moment.monotonicMs - clock.monotonicMs());
}
