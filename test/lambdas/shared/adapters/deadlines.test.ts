import { expireAfter } from '../../../../lambdas/shared/adapters/deadlines';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.runAllTimers();
  jest.useRealTimers();
});

test('each deadline expires at its own time, once, in whatever order they were set', () => {
  const expired: [number, number][] = [];
  const startMs = performance.now();
  for (const ms of [300, 100, 200, 100]) {
    expireAfter(ms, () => expired.push([ms, performance.now() - startMs]));
  }

  jest.advanceTimersByTime(1_000);

  expect(expired).toEqual([100, 100, 200, 300].map((ms) => [ms, ms]));
});

test('a deadline that was met does not expire, and the later ones still do', () => {
  const expired: number[] = [];
  const meet = expireAfter(100, () => expired.push(100));
  expireAfter(200, () => expired.push(200));

  meet();
  jest.advanceTimersByTime(1_000);

  expect(expired).toEqual([200]);
});

test('a deadline may be set while another one expires', () => {
  const second = jest.fn();
  expireAfter(100, () => expireAfter(50, second));

  jest.advanceTimersByTime(149);
  expect(second).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(second).toHaveBeenCalledTimes(1);
});
