import { nextWriteAllowedAtMs, recentWrites } from '../../../core/secrets/write-budget';
import { NOON_MS } from '../../support/lambdas/virtual-clock';

const DAY_MS = 86_400_000;
/** A number of writes, a minute apart, the last one a minute ago. Latest first, because order must not matter. */
const writes = (count: number) => Array.from({ length: count }, (_, index) => NOON_MS - (index + 1) * 60_000);

describe('the write budget', () => {
  test.each([
    ['forced', true, 49],
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
      const given = writes(count);

      const allowedAtMs = nextWriteAllowedAtMs(given, NOON_MS, isForced)!;

      expect(allowedAtMs).toBe(NOON_MS - limit * 60_000 + DAY_MS);
      expect(nextWriteAllowedAtMs(given, allowedAtMs - 1, isForced)).toBe(allowedAtMs);
      expect(nextWriteAllowedAtMs(given, allowedAtMs, isForced)).toBeUndefined();
      expect(given).toEqual(writes(count));
    },
  );

  test.each([
    ['is dropped exactly 24 h later', NOON_MS - DAY_MS, false],
    ['counts until then', NOON_MS - DAY_MS + 1, true],
    ['in the future counts, because the clock may have been set back', NOON_MS + DAY_MS, true],
    ['in a future that no clock explains would block renewals for good', NOON_MS + DAY_MS + 1, false],
  ])('a write %s', (_, writeMs, counts) => {
    expect(recentWrites([writeMs], NOON_MS)).toEqual(counts ? [writeMs] : []);
  });
});
