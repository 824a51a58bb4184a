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

  expect(expired).toEqual([
    [100, 100],
    [100, 100],
    [200, 200],
    [300, 300],
  ]);
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
  const expired: string[] = [];
  expireAfter(100, () => {
    expired.push('first');
    expireAfter(50, () => expired.push('second'));
  });

  jest.advanceTimersByTime(149);
  expect(expired).toEqual(['first']);
  jest.advanceTimersByTime(1);
  expect(expired).toEqual(['first', 'second']);
});
