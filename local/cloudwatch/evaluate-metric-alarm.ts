import { type AlarmStateValue, type ComparisonOperator, type MetricAlarm } from './alarm-definition';
import { evaluateMath } from './metric-math';
import { type MetricStore } from './metric-store';

/** The result of an evaluation. */
interface AlarmEvaluation {
  state: AlarmStateValue;
  reason: string;
}

const COMPARISONS: Readonly<
  Record<ComparisonOperator, { words: string; breaches: (value: number, threshold: number) => boolean }>
> = {
  GreaterThanOrEqualToThreshold: { words: 'greater than or equal to', breaches: (a, b) => a >= b },
  GreaterThanThreshold: { words: 'greater than', breaches: (a, b) => a > b },
  LessThanOrEqualToThreshold: { words: 'less than or equal to', breaches: (a, b) => a <= b },
  LessThanThreshold: { words: 'less than', breaches: (a, b) => a < b },
};

/**
 * The state of an alarm at `nowMs`, over a sliding window of its last periods.
 * @param previous state, which an alarm that ignores missing data keeps
 * @param isWarmingUp while true, the state is INSUFFICIENT_DATA until every period of the window has data
 * @see CloudWatch API reference, API_WarmUpConfiguration
 * @see Amazon CloudWatch User Guide, "Alarm evaluation window" (sliding) and "Configuring how CloudWatch alarms treat missing data"
 */
export function evaluateMetricAlarm(
  alarm: MetricAlarm,
  store: MetricStore,
  previous: AlarmStateValue,
  nowMs: number,
  isWarmingUp: boolean,
): AlarmEvaluation {
  const { evaluationPeriods, datapointsToAlarm, threshold, comparison, missingData } = alarm;
  const datapoints = Array.from({ length: evaluationPeriods }, (_, n) => datapointOf(alarm, store, nowMs, n));
  const { words, breaches } = COMPARISONS[comparison];
  const shown = datapoints.map((value) => value ?? 'missing').join(', ');
  if (isWarmingUp && datapoints.includes(undefined)) {
    return { state: 'INSUFFICIENT_DATA', reason: 'the warm-up period has not ended' };
  }
  const isAllMissing = datapoints.every((value) => value === undefined);

  if (isAllMissing && missingData === 'ignore') return { state: previous, reason: '' };
  if (isAllMissing && missingData === 'missing') {
    return { state: 'INSUFFICIENT_DATA', reason: `no datapoints in ${evaluationPeriods} periods` };
  }
  const breaching = datapoints.filter((value) =>
    value === undefined ? missingData === 'breaching' : breaches(value, threshold),
  ).length;
  const reason =
    `${breaching} of the last ${evaluationPeriods} datapoints [${shown}] (latest first, missing: ${missingData}) ` +
    `were ${words} the threshold (${threshold}); ${datapointsToAlarm} trigger the alarm`;
  return { state: breaching >= datapointsToAlarm ? 'ALARM' : 'OK', reason };
}

/** The datapoint of the `n`th period before now. */
function datapointOf(alarm: MetricAlarm, store: MetricStore, nowMs: number, n: number): number | undefined {
  const { parts, result, periodSec } = alarm;
  const endMs = nowMs - n * periodSec * 1000;
  const valueOf = (id: string): number | undefined => {
    const part = parts.get(id)!;
    if ('query' in part) return store.query(part.query, endMs - periodSec * 1000, endMs);
    return evaluateMath(part.expression, valueOf);
  };
  return valueOf(result);
}
