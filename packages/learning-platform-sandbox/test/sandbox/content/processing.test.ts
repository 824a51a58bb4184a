import { Processing } from '../../../src/sandbox/content/processing';
import { TENANT } from '../platform-under-test';

describe('Processing', () => {
  test('defaults to 5 s pending and 30 s processing', () => {
    expect(new Processing().schedule('quiz', TENANT, 1000)).toEqual({ startsAtMs: 6000, endsAtMs: 36_000 });
    expect(new Processing({ takesSec: 1 }).timing).toEqual({ startsAfterSec: 5, takesSec: 1 });
  });

  test('setting one time keeps the other', () => {
    const processing = new Processing();

    processing.setTiming({ startsAfterSec: 0 });
    processing.setTiming({ takesSec: 0 });

    expect(processing.timing).toEqual({ startsAfterSec: 0, takesSec: 0 });
  });

  test('uses up the oldest matching failure first, and reports the remaining times', () => {
    const processing = new Processing();
    processing.addFailure({ match: { type: 'video' }, reason: 'a', times: 1 });
    processing.addFailure({
      match: { environment: 'staging', tenantId: TENANT.tenantId },
      reason: 'b',
      times: 2,
    });
    processing.addFailure({ match: { platformRegion: 'global' }, reason: 'c', times: 1 });

    const reasons = (['quiz', 'video', 'video', 'video'] as const).map(
      (type) => processing.schedule(type, TENANT, 0).failureReason,
    );

    expect(reasons).toEqual(['b', 'a', 'b', undefined]);
    expect(processing.failures()).toEqual([{ match: { platformRegion: 'global' }, reason: 'c', times: 1 }]);
  });

  test('a reset restores the seeded timing and deletes failures', () => {
    const processing = new Processing({ takesSec: 7 });
    processing.setTiming({ takesSec: 1, startsAfterSec: 1 });
    processing.addFailure({ reason: 'a', times: 1 });

    processing.reset();

    expect([processing.timing, processing.failures()]).toEqual([{ startsAfterSec: 5, takesSec: 7 }, []]);
  });
});
