import { evaluateMath, idsOf } from '../../src/cloudwatch/metric-math';
import { parseMetricMath } from '../../src/cloudwatch/parse-metric-math';

const METRICS: Record<string, number | undefined> = { m1: 6, m2: 2, zero: 0 };
const valueOf = (text: string): number | undefined =>
  evaluateMath(parseMetricMath(text), { valueOf: (id) => METRICS[id], isFilled: (id) => id !== 'unknown' });

test.each<[string, number | undefined]>([
  ['m1', 6],
  ['m1 + m2 * 3', 12],
  ['(m1 + m2) * 3', 24],
  ['m1 - m2 - 1', 3],
  ['m1 / m2 / 3', 1],
  ['-m1 + 0.5', -5.5],
  ['100 * m2 / m1 >= 25 AND m1 >= 5', 1],
  ['m1 > 10 OR m2 == 2', 1],
  ['m1 > 10 || m2 != 2 && m1 < 7', 0],
  ['m1 <= 6', 1],
  ['IF(m1 > 5, m2, 0)', 2],
  ['IF(zero, m2, 0 - 1)', -1],
  ['MAX([m1, m2])', 6],
  ['MIN([m1, m2, zero])', 0],
  ['SUM([m1, m2])', 8],
])('computes %s', (text, expected) => {
  expect(valueOf(text)).toBe(expected);
});

test.each<[string, number | undefined]>([
  ['m1 / zero', undefined],
  ['SUM([none])', undefined],
  ['none + unknown', undefined],
  ['FILL(unknown, 1)', undefined],
  ['FILL(unknown, 1) + FILL(m2, 0)', 2],
  ['FILL(none + unknown, 1)', 1],
])('gives %s the value %s if it divides by zero, or metrics have no value', (text, expected) => {
  expect(valueOf(text)).toBe(expected);
});

test.each([
  '',
  'm1 +',
  'm1 m2',
  '(m1',
  'm1)',
  'MAX(m1)',
  'MAX([m1)',
  'FILL(m1)',
  'FILL(m1, REPEAT)',
  'IF(m1, m2)',
  'RATE(m1)',
  'METRICS()',
  'm1 ^ 2',
  "SEARCH('x', 'Sum')",
])('refuses %p', (text) => {
  expect(() => parseMetricMath(text)).toThrow(
    expect.objectContaining({ code: 'expression_not_supported' }) as Error,
  );
});

test('lists the metrics that an expression refers to', () => {
  expect(idsOf(parseMetricMath('IF(a > 1, FILL(b, c), MAX([d, -e]))'))).toEqual(['a', 'b', 'c', 'd', 'e']);
});
