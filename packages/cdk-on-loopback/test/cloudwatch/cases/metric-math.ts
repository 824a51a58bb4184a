/** The values of metrics in consecutive periods; `-` for none. */
type Series = Readonly<Record<string, string>>;

/** Expressions over metrics with missing values, and their values in each period. */
interface MetricMathCases {
  readonly source: string;
  readonly metrics: Series;
  readonly expressions: readonly (readonly [expression: string, values: string])[];
}

const PAGE = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html';

export const METRIC_MATH: readonly MetricMathCases[] = [
  {
    source: `${PAGE}#metric-math-syntax-operators`,
    metrics: { metric1: '30 20 0 0', metric2: '20 - 20 -' },
    expressions: [
      ['metric1 < metric2', '0 0 1 0'],
      ['metric1 >= 30', '1 0 0 0'],
      ['metric1 > 15 AND metric2 > 15', '1 0 0 0'],
      // Against a number, there is no other series that has a value.
      ['metric2 > 15', '1 - 1 -'],
      ['metric1 == metric2', '0 0 0 1'],
      ['metric1 > 15 OR metric2 > 15', '1 1 1 0'],
    ],
  },
  {
    // "Missing values in a time series are treated as 0"; a division by zero drops the datapoint.
    source: `${PAGE}#metric-math-syntax-arithmetic`,
    metrics: { a: '6 6 - -', b: '2 - 2 -' },
    expressions: [
      ['a + b', '8 6 2 -'],
      ['a - b', '4 6 -2 -'],
      ['a * b', '12 0 0 -'],
      ['a / b', '3 - 0 -'],
      ['a + 1', '7 7 - -'],
      ['100 * a', '600 600 - -'],
      ['-a', '-6 -6 - -'],
      ['-a + b', '-4 -6 2 -'],
      ['a + (1 + 1)', '8 8 - -'],
      ['a + FILL(b, 1)', '8 7 2 1'],
    ],
  },
  {
    source: `${PAGE}#using-IF-expressions`,
    metrics: { metric1: '1 1 0 0 -', metric2: '30 - 0 0 30', metric3: '0 0 20 - 20' },
    expressions: [
      ['IF(metric1, metric2, metric3)', '30 0 20 - -'],
      ['IF(metric1, 5, metric3)', '5 5 20 - -'],
      ['IF(metric1, metric2, 5)', '30 0 5 5 -'],
      ['IF(1, metric2, metric3)', '30 - 0 0 30'],
      ['IF(0, metric2, metric3)', '0 0 20 - 20'],
    ],
  },
  {
    source: `${PAGE}#metric-math-syntax-functions-list`,
    metrics: { a: '6 6 - -', b: '2 - 2 -' },
    expressions: [
      ['FILL(b, 9)', '2 9 2 9'],
      ['FILL(b, a)', '2 6 2 -'],
      ['SUM([a, b])', '8 6 2 -'],
      ['MAX([a, b])', '6 6 2 -'],
      ['MAX([FILL(a, 0), FILL(b, 0)])', '6 6 2 0'],
      ['FILL(a, 0) - 3 * FILL(b, 0)', '0 6 -6 0'],
      ['IF(a >= 5, 100 * a / b, 0)', '300 0 - -'],
    ],
  },
];
