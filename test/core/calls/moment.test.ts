import { elapsedMs, momentOf } from '../../../core/calls/moment';
import { NOON_MS, VirtualClock } from '../../support/lambdas/virtual-clock';

describe('the time between two moments', () => {
  test('is the elapsed time even if the wall clock was set back', () => {
    const clock = new VirtualClock();
    const since = momentOf(clock);

    clock.advance(5_000);
    clock.set(-300_000);

    expect(elapsedMs(since, momentOf(clock))).toBe(5_000);
  });

  test('is that of the wall clock if the process was frozen and the other clock stopped', () => {
    const since = { wallMs: NOON_MS, monotonicMs: 1_000 };

    expect(elapsedMs(since, { wallMs: NOON_MS + 60_000, monotonicMs: 1_001 })).toBe(60_000);
  });
});
