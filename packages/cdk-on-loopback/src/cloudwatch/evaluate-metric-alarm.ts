import { type AlarmStateValue, type ComparisonOperator, type MetricAlarm } from './alarm-definition';
import { evaluateMath } from './metric-math';
import { type MetricStore } from './metric-store';
import { type Readings } from './readings';

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

interface Metrics {
  store: MetricStore;
  readings: Readings;
}

interface Moment {
  /** State before, which an alarm that ignores missing data may keep. */
  previous: AlarmStateValue;
  nowMs: number;
  /** While true, the state is INSUFFICIENT_DATA until every period of the window has data. */
  isWarmingUp: boolean;
}

/**
 * The state of an alarm, over a sliding window of its last periods. If data is missing there, older data in the evaluation
 * range counts instead. Only if that is not enough, the alarm's treatment of missing data applies.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-warm-up.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function evaluateMetricAlarm(
  alarm: MetricAlarm,
  metrics: Metrics,
  { previous, nowMs, isWarmingUp }: Moment,
): AlarmEvaluation {
  const { evaluationPeriods, datapointsToAlarm, threshold, comparison, missingData } = alarm;
  const datapoint = (n: number): Datapoint => datapointOf(alarm, metrics, nowMs, n);
  const window = Array.from({ length: evaluationPeriods }, (_, n) => datapoint(n));
  const isComplete = !window.includes(undefined);
  if (isWarmingUp && !isComplete)
    return { state: 'INSUFFICIENT_DATA', reason: 'the warm-up period has not ended' };

  const extra = isComplete ? 0 : extraPeriods(metrics.readings);
  const range = [...window, ...Array.from({ length: extra }, (_, n) => datapoint(evaluationPeriods + n))];
  const evaluated = range.filter((value) => value !== undefined).slice(0, evaluationPeriods);
  const missing = evaluationPeriods - evaluated.length;
  const { words, breaches } = COMPARISONS[comparison];
  const breaching = evaluated.filter((value) => breaches(value, threshold)).length;
  const counted = breaching + (missingData === 'breaching' ? missing : 0);
  if (counted < datapointsToAlarm && missing > 0 && breaching === evaluated.length) {
    const evaluation = withoutGoodData(alarm, range, previous);
    if (evaluation) return evaluation;
  }
  const shown = [...evaluated, ...Array.from({ length: missing }, () => 'missing')].join(', ');
  const reason =
    `${counted} of the last ${evaluationPeriods} datapoints [${shown}] (latest first, missing: ${missingData}) ` +
    `were ${words} the threshold (${threshold}); ${datapointsToAlarm} trigger the alarm`;
  return { state: counted >= datapointsToAlarm ? 'ALARM' : 'OK', reason };
}

type Datapoint = number | undefined;

/** Periods of the evaluation range beyond the window. */
function extraPeriods({ evaluationRange }: Readings): number {
  return evaluationRange === 'extended' ? 2 : 0;
}

/**
 * The state if a range, latest first, has too few datapoints, and all of them breach. The alarm waits for more only while
 * its oldest datapoint is less than `datapointsToAlarm` periods old.
 * @returns undefined if missing data counts as good or bad
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html#CloudWatch-alarms-avoiding-premature-transition
 */
function withoutGoodData(
  { missingData, datapointsToAlarm }: MetricAlarm,
  range: readonly Datapoint[],
  previous: AlarmStateValue,
): AlarmEvaluation | undefined {
  if (missingData === 'ignore') return { state: previous, reason: '' };
  if (missingData !== 'missing') return undefined;
  const oldest = range.findLastIndex((value) => value !== undefined) + 1;
  if (oldest >= datapointsToAlarm)
    return { state: 'ALARM', reason: `all datapoints of the last ${oldest} periods breach, or are missing` };
  return { state: 'INSUFFICIENT_DATA', reason: `too few datapoints in ${range.length} periods` };
}

/** The datapoint of the `n`th period before now. */
function datapointOf(alarm: MetricAlarm, { store, readings }: Metrics, nowMs: number, n: number): Datapoint {
  const { parts, result, periodSec, evaluationPeriods } = alarm;
  const endMs = nowMs - n * periodSec * 1000;
  const valueOf = (id: string): Datapoint => {
    const part = parts.get(id)!;
    if ('query' in part) return store.query(part.query, endMs - periodSec * 1000, endMs);
    return evaluateMath(part.expression, { valueOf, isFilled });
  };
  const isFilled = (id: string): boolean => {
    const part = parts.get(id)!;
    if (readings.filledMetrics === 'all' || !('query' in part)) return true;
    const rangeMs = (evaluationPeriods + extraPeriods(readings)) * periodSec * 1000;
    return store.query(part.query, nowMs - rangeMs, nowMs) !== undefined;
  };
  return valueOf(result);
}
