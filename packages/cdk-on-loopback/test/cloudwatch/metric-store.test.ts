import { type MetricDatum, MetricStore, type Statistic } from '../../src/cloudwatch/metric-store';

const DAY_MS = 86_400_000;
const METRIC = { namespace: 'N', metricName: 'm', dimensions: { a: '1', b: '2' } };

const storeOf = (...data: Partial<MetricDatum>[]): MetricStore => {
  const store = new MetricStore();
  for (const datum of data) store.put({ ...METRIC, value: 1, timestampMs: 0, ...datum });
  return store;
};
const timed = (values: number[]) => values.map((value, n) => ({ value, timestampMs: n * 10 }));

test.each<[Statistic, number]>([
  ['Sum', 15],
  ['Average', 3],
  ['Minimum', 1],
  ['Maximum', 5],
  ['SampleCount', 5],
  ['p50', 3],
  ['p90', 5],
  ['p1', 1],
])('returns the %s of the values', (statistic, expected) => {
  const store = storeOf(...timed([5, 1, 4, 2, 3]));

  expect(store.query({ ...METRIC, statistic }, 0, 50)).toBe(expected);
});

test('includes the start of the interval, but not its end', () => {
  const store = storeOf(...timed([1, 10, 100]));

  expect(store.query({ ...METRIC, statistic: 'Sum' }, 10, 20)).toBe(10);
});

test('keeps the order when values arrive late', () => {
  const store = storeOf({ timestampMs: 30 }, { timestampMs: 10, value: 7 }, { timestampMs: 20 });

  expect(store.query({ ...METRIC, statistic: 'Sum' }, 10, 20)).toBe(7);
});

test.each<[string, Partial<typeof METRIC>]>([
  ['namespace', { namespace: 'other' }],
  ['name', { metricName: 'other' }],
  ['number of dimensions', { dimensions: { a: '1' } as typeof METRIC.dimensions }],
  ['value of a dimension', { dimensions: { a: '1', b: '3' } }],
])('has nothing for another %s', (_, other) => {
  const store = storeOf({});

  expect(store.query({ ...METRIC, ...other, statistic: 'SampleCount' }, 0, 1)).toBeUndefined();
});

test('ignores the order of dimensions', () => {
  const store = storeOf({});

  expect(store.query({ ...METRIC, dimensions: { b: '2', a: '1' }, statistic: 'Sum' }, 0, 1)).toBe(1);
});

test('filters by unit if one is given, with None for values without a unit', () => {
  const store = storeOf({ unit: 'Count', value: 2 }, { value: 3 });
  const sum = (unit?: string) => store.query({ ...METRIC, statistic: 'Sum', unit }, 0, 1);

  expect([sum('Count'), sum('None'), sum('Seconds'), sum()]).toEqual([2, 3, undefined, 5]);
});

test('keeps eight days', () => {
  const store = storeOf(...Array.from({ length: 21 }, (_, day) => ({ timestampMs: day * DAY_MS })));

  expect(store.query({ ...METRIC, statistic: 'SampleCount' }, 0, 12 * DAY_MS - DAY_MS)).toBeUndefined();
  expect(store.query({ ...METRIC, statistic: 'SampleCount' }, 12 * DAY_MS, 21 * DAY_MS)).toBe(9);
});

test('returns the latest value, and nothing of a metric without values', () => {
  const store = storeOf({ timestampMs: 30, value: 3 }, { timestampMs: 10, value: 7 });

  expect(store.latest(METRIC)).toEqual({ value: 3, timestampMs: 30 });
  expect(store.latest({ ...METRIC, metricName: 'other' })).toBeUndefined();
});
