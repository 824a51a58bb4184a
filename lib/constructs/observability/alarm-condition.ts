import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type DeploymentAlarm } from '../../../contract/alarms';
import { SWEEP_INTERVAL_SEC } from '../../../contract/lifetimes';

/**
 * How far an alarm looks back on what each sweep sends. Longer than from one to the next, because some come late and some
 * take longer: with a window in which nothing fell, an alarm would end, and notify again with the next sweep.
 * @see Amazon CloudWatch User Guide, "Alarm evaluation window" (it slides)
 */
export const LAST_SWEEPS = Duration.seconds(2 * SWEEP_INTERVAL_SEC);

/** The same for the looks of credential-watch, of which there is one every six hours. */
export const LAST_LOOK = Duration.hours(6).plus(Duration.minutes(10));

/** When an alarm rings. */
export interface AlarmCondition {
  readonly metric: cloudwatch.IMetric;
  readonly comparison: cloudwatch.ComparisonOperator;
  readonly threshold: number;
  /** In so many periods in a row. @default 1 */
  readonly periods?: number;
  /** What a period without data means. @default notBreaching */
  readonly silence?: cloudwatch.TreatMissingData;
  /** How long nothing rings after the alarm was made, unless data come earlier. @default not at all */
  readonly warmUp?: Duration;
}

/** Conditions of some of a deployment's alarms. */
export type AlarmConditions = Partial<Record<DeploymentAlarm, AlarmCondition>>;

/** The metric is at least `threshold`. */
export function atLeast(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  const comparison = cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD;
  return { metric, comparison, threshold };
}

/** The metric is at most `threshold`. */
export function atMost(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  const comparison = cloudwatch.ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD;
  return { metric, comparison, threshold };
}

/** The metric is above `threshold`. */
export function above(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  return { metric, comparison: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD, threshold };
}

/** The metric is below `threshold`. */
export function below(metric: cloudwatch.IMetric, threshold: number): AlarmCondition {
  return { metric, comparison: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD, threshold };
}

/**
 * Nothing was sent in so many periods in a row; `metric` counts what is sent. What is new gets a period more to begin:
 * else every first deployment would ring.
 */
export function silent(metric: cloudwatch.Metric, periods: number): AlarmCondition {
  const warmUp = Duration.minutes(metric.period.toMinutes() * (periods + 1));
  return { ...below(metric, 1), periods, silence: cloudwatch.TreatMissingData.BREACHING, warmUp };
}

/** All metrics in one number, those without data as 0. */
export function combined(
  how: 'sum' | 'largest',
  metrics: cloudwatch.IMetric[],
  { label, period }: { label: string; period: Duration },
): cloudwatch.MathExpression {
  const ids = metrics.map((_, index) => `m${index}`);
  const filled = ids.map((id) => `FILL(${id}, 0)`);
  return new cloudwatch.MathExpression({
    expression: how === 'sum' ? filled.join(' + ') : `MAX([${filled.join(', ')}])`,
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [ids[index]!, metric])),
    label,
    period,
  });
}
