import { currentSinceMs } from '../../contract/current-since';

test('a version is current since its promotion, where it was created before', () => {
  expect(currentSinceMs(2_000, 1_000)).toBe(2_000);
});

test('a version that was written after the last rotation is current since its creation', () => {
  expect(currentSinceMs(1_000, 2_000)).toBe(2_000);
});

test('where one of the times is not known, the other one counts', () => {
  expect(currentSinceMs(1_000, undefined)).toBe(1_000);
  expect(currentSinceMs(undefined, 2_000)).toBe(2_000);
  expect(currentSinceMs(undefined, undefined)).toBeUndefined();
});
