import { RunClock } from '../../../local/run-clock';

/** A clock that stands at `startMs` until it is set forward. */
export function standingClock(startMs: number, events?: ConstructorParameters<typeof RunClock>[0]): RunClock {
  return new RunClock(events, { nowMs: () => startMs, startTimer: () => () => undefined });
}
