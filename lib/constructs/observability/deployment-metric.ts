import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type Metric, METRIC_NAMESPACE, METRIC_UNITS } from '../../../contract/metrics';
import { type DeploymentKey } from '../../../contract/token-key';

/**
 * A metric that the functions of one deployment write: the sum over five minutes, unless told otherwise.
 * @param dimensions those besides the deployment's
 */
export function deploymentMetric(
  { environment, platformRegion }: DeploymentKey,
  metricName: Metric,
  options?: cloudwatch.MetricOptions,
  dimensions: Record<string, string> = {},
): cloudwatch.Metric {
  return new cloudwatch.Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { environment, platformRegion, ...dimensions },
    statistic: cloudwatch.Stats.SUM,
    period: Duration.minutes(5),
    // As it is sent: in another unit, an alarm would find nothing.
    unit: (METRIC_UNITS[metricName] ?? 'Count') as cloudwatch.Unit,
    ...options,
  });
}
