import { Pace } from '../../../cli/restore/pace';

let nowMs: number;
let pace: Pace;
beforeEach(() => {
  nowMs = 1_000_000;
  pace = new Pace(() => nowMs);
});

/** Throttles a request that is sent now. */
const throttled = (retryAfterMs?: number) => pace.slowDown(nowMs, { detail: 'why', retryAfterMs });

describe('the pace of a run', () => {
  it('does not wait until a request is throttled', () => {
    expect(pace.remaining()).toBeUndefined();
  });

  it.each([
    [undefined, 1_000],
    [500, 1_000],
    [7_000, 7_000],
  ])('waits as long as requested (%s ms), and at least its own time', (retryAfterMs, waitMs) => {
    throttled(retryAfterMs);

    expect(pace.remaining()).toEqual({ waitMs, detail: 'why' });
  });

  it('waits twice as long each time in a row, up to a minute, and gives up after the eighth', () => {
    const waits = Array.from({ length: 9 }, () => {
      const isOfUse = throttled();
      const { waitMs } = pace.remaining()!;
      nowMs += waitMs;
      return isOfUse && waitMs;
    });

    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, false]);
  });

  it('starts over once a request is accepted', () => {
    throttled();
    nowMs += pace.remaining()!.waitMs;
    pace.accepted();

    throttled();

    expect(pace.remaining()?.waitMs).toBe(1_000);
  });

  it('counts requests sent at the same time as one', () => {
    const sentAtMs = nowMs;
    for (let request = 0; request < 20; request += 1)
      expect(pace.slowDown(sentAtMs, { detail: 'why' })).toBe(true);

    expect(pace.remaining()?.waitMs).toBe(1_000);
  });
});
