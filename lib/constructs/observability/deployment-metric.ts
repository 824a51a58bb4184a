import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import {
  deploymentDimensions,
  type MeasuredDeployment,
  type Metric,
  METRIC_NAMESPACE,
  METRIC_UNITS,
} from '../../../core/alarms/metrics';

/**
 * A metric that the functions of one deployment emit; by default the sum over five minutes.
 * @param dimensions in addition to those of the deployment
 */
export function deploymentMetric(
  deployment: MeasuredDeployment,
  metricName: Metric,
  options?: cloudwatch.MetricOptions,
  dimensions: Record<string, string> = {},
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { ...deploymentDimensions(deployment), ...dimensions },
    statistic: cloudwatch.Stats.SUM,
    period: Duration.minutes(5),
    // Must match the emitted unit; with another one, an alarm sees no data.
    unit: (METRIC_UNITS[metricName] ?? 'Count') as cloudwatch.Unit,
    ...options,
  });
}
