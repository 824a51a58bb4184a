import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds, type DeploymentAlarm } from '../../../core/alarms/alarm-rows';
import { SWEEP_INTERVAL_SEC } from '../../../core/tokens/lifetimes';

/**
 * Alarm period for metrics that every sweep emits: two sweep intervals. With one, a late sweep would leave the period
 * empty, and the alarm would clear and notify again.
 * @see Amazon CloudWatch User Guide, "Alarm evaluation window" (it slides)
 */
export const LAST_SWEEPS = Duration.seconds(2 * SWEEP_INTERVAL_SEC);

/** Alarm period for metrics that credential-watch emits every six hours. */
export const LAST_WATCH_RUN = Duration.hours(6).plus(Duration.minutes(10));

/** When an alarm goes into alarm. */
export interface AlarmCondition {
  readonly metric: cloudwatch.IMetric;
  readonly comparison: cloudwatch.ComparisonOperator;
  readonly threshold: number;
  /** Consecutive periods that must breach. @default 1 */
  readonly periods?: number;
  /** How a period without data is treated. @default notBreaching */
  readonly missingData?: cloudwatch.TreatMissingData;
  /** How long a new alarm stays quiet until the first data arrive. @default no warm-up */
  readonly warmUp?: Duration;
}

export type AlarmConditions = Partial<Record<DeploymentAlarm, AlarmCondition>>;

export function atLeast(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  const comparison = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;
  return { metric, comparison, threshold };
}

export function atMost(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  const comparison = cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD;
  return { metric, comparison, threshold };
}

export function above(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  return { metric, comparison: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD, threshold };
}

export function below(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  return { metric, comparison: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD, threshold };
}

/**
 * No data for `missed` intervals in a row. `metric` counts data points in periods much shorter than an interval, since
 * CloudWatch may look back two periods beyond the evaluated ones. The warm-up covers the first run of a new deployment. An
 * update of the alarm restarts it, so it only lasts as long as the silence that the alarm reports, or two intervals.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-warm-up.html
 */
export function silent(metric: cloudwatch.Metric, interval: Duration, missed: number): AlarmCondition {
  const periods = (missed * interval.toMinutes()) / metric.period.toMinutes();
  const warmUp = Duration.minutes(Math.max(missed, 2) * interval.toMinutes());
  return { ...below(metric, 1), periods, missingData: cloudwatch.TreatMissingData.BREACHING, warmUp };
}

/** A metric with a value in its gaps, in which CloudWatch may otherwise evaluate older data again. */
export function filled(
  metric: cloudwatch.Metric,
  value: number,
  { label, period }: { label: string; period: Duration },
): cloudwatch.MathExpression {
  return new cloudwatch.MathExpression({
    expression: `FILL(m0, ${value})`,
    usingMetrics: { m0: metric },
    label,
    period,
  });
}

/**
 * The sum of metrics; one without data counts as 0. Even a single metric with gaps needs it: in its gaps, CloudWatch may
 * evaluate older data again, and the alarm would clear two periods late.
 */
export function summed(
  metrics: cloudwatch.IMetric[],
  { label, period }: { label: string; period: Duration },
): cloudwatch.MathExpression {
  const ids = metrics.map((_, index) => `m${index}`);
  return new cloudwatch.MathExpression({
    expression: ids.map((id) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [ids[index]!, metric])),
    label,
    period,
  });
}

/**
 * Condition of the alarm about throttled runs. The token functions are excluded: their reserved concurrency of one
 * throttles by design.
 * @param throttles one metric per function
 */
export function throttleCondition(
  throttles: cloudwatch.IMetric[],
  thresholds: AlarmThresholds,
): AlarmConditions {
  const all = summed(throttles, { label: 'throttled runs', period: Duration.minutes(5) });
  return { throttles: { ...atLeast(all, thresholds.throttles), periods: 3 } };
}
