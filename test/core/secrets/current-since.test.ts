import { currentSinceMs } from '../../../core/secrets/current-since';

test('a version created before its promotion is current since the promotion', () => {
  expect(currentSinceMs(2_000, 1_000)).toBe(2_000);
});

test('a version that was written after the last rotation is current since its creation', () => {
  expect(currentSinceMs(1_000, 2_000)).toBe(2_000);
});

test('if one of the times is unknown, the other one counts', () => {
  expect(currentSinceMs(1_000, undefined)).toBe(1_000);
  expect(currentSinceMs(undefined, 2_000)).toBe(2_000);
  expect(currentSinceMs(undefined, undefined)).toBeUndefined();
});
