import { embeddedMetrics } from '../../src/cloudwatch/parse-embedded-metrics';

const NOW_MS = 1_574_109_732_004;
const HOUR_MS = 60 * 60 * 1000;

/** As in "Specification: Embedded metric format", section "Embedded metric format example and JSON schema". */
const line = (root: Record<string, unknown> = {}, directive: Record<string, unknown> = {}): string =>
  JSON.stringify({
    _aws: {
      Timestamp: NOW_MS,
      CloudWatchMetrics: [
        {
          Namespace: 'lambda-function-metrics',
          Dimensions: [['functionVersion']],
          Metrics: [{ Name: 'time', Unit: 'Milliseconds', StorageResolution: 60 }],
          ...directive,
        },
      ],
    },
    functionVersion: '$LATEST',
    time: 100,
    requestId: '989ffbf8-9ace-4817-a57c-e4dd734019ee',
    ...root,
  });

test("parses the metrics of a line, with the line's own timestamp", () => {
  expect(embeddedMetrics(line(), NOW_MS)).toEqual([
    {
      namespace: 'lambda-function-metrics',
      metricName: 'time',
      dimensions: { functionVersion: '$LATEST' },
      unit: 'Milliseconds',
      value: 100,
      timestampMs: NOW_MS,
    },
  ]);
});

test('adds each value of an array to each dimension set, including the empty one', () => {
  const Dimensions = [[], ['functionVersion', 'tenant']];

  const data = embeddedMetrics(line({ time: [1, 2], tenant: 't' }, { Dimensions }), NOW_MS);

  expect(data.map(({ dimensions, value }) => [dimensions, value])).toEqual([
    [{}, 1],
    [{}, 2],
    [{ functionVersion: '$LATEST', tenant: 't' }, 1],
    [{ functionVersion: '$LATEST', tenant: 't' }, 2],
  ]);
});

test('leaves out the unit if the line has none', () => {
  const [datum] = embeddedMetrics(line({}, { Metrics: [{ Name: 'time' }] }), NOW_MS);

  expect(datum).not.toHaveProperty('unit');
});

test.each<[string, string]>([
  ['plain text', 'START RequestId: 1'],
  ['other JSON', '{"message":"done"}'],
  ['cut JSON', line().slice(0, -1)],
  ['a line without a timestamp', line({ _aws: { CloudWatchMetrics: [] } })],
  ['a metric that the line does not have', line({ time: undefined })],
  ['a metric that is not a number', line({ time: '100' })],
  ['more than 100 values', line({ time: Array.from({ length: 101 }, () => 1) })],
  ['a dimension that the line does not have', line({ functionVersion: undefined })],
  ['a dimension that is not a string', line({ functionVersion: 1 })],
  [
    'more than 30 dimensions',
    line({}, { Dimensions: [Array.from({ length: 31 }, () => 'functionVersion')] }),
  ],
  ['a dimension whose name is not a string', line({}, { Dimensions: [[{ toString: 'functionVersion' }]] })],
  ['no namespace', line({}, { Namespace: undefined })],
  [
    'more values than any function sends',
    line(
      { time: Array.from({ length: 100 }, () => 1) },
      {
        Dimensions: Array.from({ length: 20_000 }, () => []),
        Metrics: Array.from({ length: 100 }, () => ({ Name: 'time' })),
      },
    ),
  ],
])('finds none in %s', (_, text) => {
  expect(embeddedMetrics(text, NOW_MS)).toEqual([]);
});

// @see CloudWatch API Reference, API_MetricDatum (Timestamp): two weeks back, two hours ahead
test.each([
  [-14 * 24 * HOUR_MS, 1],
  [-14 * 24 * HOUR_MS - 1, 0],
  [2 * HOUR_MS, 1],
  [2 * HOUR_MS + 1, 0],
  [Infinity, 0],
])('with a timestamp %d ms from the log event, accepts %d', (fromNowMs, taken) => {
  const text = line().replace(String(NOW_MS), fromNowMs === Infinity ? '1e999' : String(NOW_MS + fromNowMs));

  expect(embeddedMetrics(text, NOW_MS)).toHaveLength(taken);
});
