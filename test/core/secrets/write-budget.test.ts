import fc from 'fast-check';

import { nextWriteAllowedAtMs, recentWrites } from '../../../core/secrets/write-budget';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const DAY_MS = 86_400_000;
/** A number of writes, a minute apart, the last one a minute ago. Latest first, because order must not matter. */
const writes = (count: number) => Array.from({ length: count }, (_, index) => NOON_MS - (index + 1) * 60_000);

describe('the write budget', () => {
  test.each([
    ['forced', true, 49],
    ['ordinary', false, 50],
    ['ordinary', false, 95],
  ])('allows a %s write (forced: %s) after %d in 24 h', (_, isForced, count) => {
    expect(nextWriteAllowedAtMs(writes(count), NOON_MS, isForced)).toBeUndefined();
  });

  test.each([
    ['forced', true, 50, 50],
    ['forced', true, 60, 50],
    ['ordinary', false, 96, 96],
    ['ordinary', false, 99, 96],
  ])(
    'refuses a %s write (forced: %s) after %d in 24 h until fewer than %d count',
    (_, isForced, count, limit) => {
      const allowedAtMs = nextWriteAllowedAtMs(writes(count), NOON_MS, isForced)!;

      expect(allowedAtMs).toBe(NOON_MS - limit * 60_000 + DAY_MS);
      expect(nextWriteAllowedAtMs(writes(count), allowedAtMs - 1, isForced)).toBe(allowedAtMs);
      expect(nextWriteAllowedAtMs(writes(count), allowedAtMs, isForced)).toBeUndefined();
    },
  );

  test('drops a write exactly 24 h after it', () => {
    expect(recentWrites([NOON_MS - DAY_MS, NOON_MS - DAY_MS + 1], NOON_MS)).toEqual([NOON_MS - DAY_MS + 1]);
  });

  test('ignores writes in a future that no clock explains, which would block renewals for good', () => {
    expect(recentWrites([NOON_MS + DAY_MS + 1, 1e300, NOON_MS + DAY_MS], NOON_MS)).toEqual([
      NOON_MS + DAY_MS,
    ]);
  });

  test('counts a write that is in the future because the clock was set back', () => {
    expect(recentWrites([NOON_MS + 60_000], NOON_MS)).toEqual([NOON_MS + 60_000]);
  });

  test('does not reorder the given list', () => {
    const given = writes(97);

    nextWriteAllowedAtMs(given, NOON_MS, false);

    expect(given).toEqual(writes(97));
  });

  test('allows at most 96 writes in any 24 h, whenever writes are attempted', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(30 * 60_000), { minLength: 100, maxLength: 300 }), (gapsMs) => {
        const done: number[] = [];
        let nowMs = NOON_MS;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (nextWriteAllowedAtMs(done, nowMs, false) === undefined) done.push(nowMs);
        }
        return done.every((endMs) => recentWrites(done, endMs).filter((ms) => ms <= endMs).length <= 96);
      }),
      { numRuns: 30 },
    );
  });
});
