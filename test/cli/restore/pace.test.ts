import { Pace } from '../../../cli/restore/pace';

let nowMs: number;
let pace: Pace;
beforeEach(() => {
  nowMs = 1_000_000;
  pace = new Pace({ nowMs: () => nowMs, random: () => 0.4 });
});

/** Throttles a request that is sent now. */
const throttled = (retryAfterMs?: number) => pace.slowDown(nowMs, retryAfterMs);

describe('the pace of a run', () => {
  it('does not wait until a request is throttled', () => {
    expect(pace.waitMs).toBe(0);
  });

  it.each([
    [undefined, 1_100],
    [500, 1_100],
    [7_000, 7_100],
  ])('waits as long as requested (%s ms), and at least its own time', (retryAfterMs, waitMs) => {
    throttled(retryAfterMs);

    expect(pace.waitMs).toBe(waitMs);
  });

  it('waits twice as long each time in a row, up to a minute, and gives up after the eighth', () => {
    const waits = Array.from({ length: 9 }, () => {
      const isOfUse = throttled();
      const { waitMs } = pace;
      nowMs += waitMs;
      return isOfUse && waitMs - 100;
    });

    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, false]);
  });

  it('ends a wait if the clock is set back', () => {
    throttled(7_000);

    nowMs -= 3_600_000;

    expect(pace.waitMs).toBe(0);
    throttled();
    expect(pace.waitMs).toBe(2_100);
  });

  it('starts over once a request is accepted', () => {
    throttled();
    nowMs += pace.waitMs;
    pace.accepted();

    throttled();

    expect(pace.waitMs).toBe(1_100);
  });

  it('counts requests sent at the same time as one', () => {
    const sentAtMs = nowMs;
    for (let request = 0; request < 20; request += 1) expect(pace.slowDown(sentAtMs)).toBe(true);

    expect(pace.waitMs).toBe(1_100);
  });
});
