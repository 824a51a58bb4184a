import { currentSinceMs } from '../../../core/secrets/current-since';

test.each([
  ['the rotation, if it was created before', 2_000, 1_000, 2_000],
  ['its creation, if that was after the last rotation', 1_000, 2_000, 2_000],
  ['the rotation, if only that is known', 1_000, undefined, 1_000],
  ['its creation, if only that is known', undefined, 2_000, 2_000],
  ['an unknown time, if neither is known', undefined, undefined, undefined],
])('a version is current since %s', (_, lastRotatedMs, createdMs, sinceMs) => {
  expect(currentSinceMs(lastRotatedMs, createdMs)).toBe(sinceMs);
});
