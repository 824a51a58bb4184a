import {
  type AlarmStateValue,
  type MetricAlarm,
  MISSING_DATA_TREATMENTS,
} from '../../src/cloudwatch/alarm-definition';
import { evaluateMetricAlarm } from '../../src/cloudwatch/evaluate-metric-alarm';
import { evaluateMath } from '../../src/cloudwatch/metric-math';
import { MetricStore } from '../../src/cloudwatch/metric-store';
import { parseMetricMath } from '../../src/cloudwatch/parse-metric-math';
import { defaultReadings, type Readings } from '../../src/cloudwatch/readings';
import { NOW_MS } from '../../src/testing/stacks';
import { FAULTS, metricAlarm } from './alarm-definitions';
import { METRIC_MATH } from './cases/metric-math';
import { IN_EXTENDED_RANGE, IN_WINDOW, M_OF_N } from './cases/missing-data';

const PERIOD_SEC = 300;

/** @param datapoints the latest last: `0` does not breach, `X` breaches, `-` is missing */
function storeOf(datapoints: string): MetricStore {
  const store = new MetricStore();
  const latestFirst = datapoints.split(' ').reverse();
  for (const [n, datapoint] of latestFirst.entries()) {
    const timestampMs = NOW_MS - (n + 0.5) * PERIOD_SEC * 1000;
    if (datapoint !== '-') store.put({ ...FAULTS, value: datapoint === 'X' ? 1 : 0, timestampMs });
  }
  return store;
}

/** State of an alarm that was in `previous`. */
function stateAfter(
  datapoints: string,
  alarm: Partial<MetricAlarm>,
  previous: AlarmStateValue,
  evaluationRange: Readings['evaluationRange'],
): AlarmStateValue {
  const metrics = { store: storeOf(datapoints), readings: { ...defaultReadings(), evaluationRange } };
  return evaluateMetricAlarm(metricAlarm('a', alarm), metrics, {
    previous,
    nowMs: NOW_MS,
    isWarmingUp: false,
  }).state;
}

describe.each<[Readings['evaluationRange'], typeof IN_WINDOW]>([
  ['extended', [...IN_EXTENDED_RANGE, ...M_OF_N]],
  ['window', [...IN_WINDOW, ...M_OF_N]],
])('in the evaluation range %s, the state of an alarm', (range, tables) => {
  const rows = tables.flatMap(({ source, alarm, rows }) =>
    rows.map(([datapoints, results]) => ({
      datapoints,
      results,
      alarm,
      source,
      needed: `${alarm.datapointsToAlarm} of ${alarm.evaluationPeriods}`,
    })),
  );

  test.each(rows)('of $needed after $datapoints is that of $source', ({ datapoints, alarm, results }) => {
    const cells = MISSING_DATA_TREATMENTS.flatMap((missingData) =>
      (['OK', 'ALARM'] as const).map((previous) => ({ missingData, previous })),
    );

    const found = cells.map(({ missingData, previous }) => ({
      missingData,
      previous,
      state: stateAfter(datapoints, { ...alarm, missingData }, previous, range),
    }));

    expect(found).toEqual(
      cells.map(({ missingData, previous }) => ({
        missingData,
        previous,
        state: results[missingData] === 'retained' ? previous : results[missingData],
      })),
    );
  });
});

// EvaluateLowSampleCountPercentile: https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
test('an alarm on a percentile evaluates few samples, and treats missing data like any other', () => {
  const parts: MetricAlarm['parts'] = new Map([['m', { query: { ...FAULTS, statistic: 'p90' } }]]);
  const states = ['- 0 X', 'X - - -', 'X - -'].map((datapoints) =>
    stateAfter(datapoints, { parts, missingData: 'missing' }, 'OK', 'extended'),
  );

  expect(states).toEqual(['ALARM', 'INSUFFICIENT_DATA', 'ALARM']);
});

describe('metric math over missing values', () => {
  const cases = METRIC_MATH.flatMap(({ source, metrics, expressions }) =>
    expressions.map(([expression, values]) => ({ source, metrics, expression, values })),
  );

  test.each(cases)('gives $expression the values $values ($source)', ({ metrics, expression, values }) => {
    const node = parseMetricMath(expression);

    const found = values.split(' ').map((_, period) =>
      evaluateMath(node, {
        isFilled: () => true,
        valueOf(id) {
          const value = metrics[id]!.split(' ')[period]!;
          return value === '-' ? undefined : Number(value);
        },
      }),
    );

    expect(found.map((value) => value ?? '-').join(' ')).toBe(values);
  });
});
