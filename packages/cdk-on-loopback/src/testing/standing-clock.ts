import { RunClock } from '../run-clock';

/** A clock that stands still at `startMs` until it is advanced. */
export function standingClock(startMs: number, events?: ConstructorParameters<typeof RunClock>[0]): RunClock {
  return new RunClock(events, { nowMs: () => startMs, startTimer: () => () => undefined });
}
