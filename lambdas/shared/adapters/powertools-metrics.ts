import { Metrics as PowertoolsMetrics, MetricUnit } from '@aws-lambda-powertools/metrics';

import { METRIC_NAMESPACE } from '../../../contract/metrics';
import { type Cell } from '../../../contract/token-key';
import { type Metrics } from '../ports';

/**
 * Metrics in embedded metric format, with the cell as dimensions.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function powertoolsMetrics({ environment, platformRegion }: Cell): Metrics & { flush(): void } {
  const metrics = new PowertoolsMetrics({ namespace: METRIC_NAMESPACE });
  // The constructor always adds a dimension `service`, with which alarms on the cell's two would find nothing.
  metrics.clearDefaultDimensions();
  metrics.setDefaultDimensions({ environment, platformRegion });
  return {
    count: (name, value = 1) => metrics.addMetric(name, MetricUnit.Count, value),
    flush: () => {
      // With nothing stored it would print a warning, in every quiet invocation.
      if (metrics.hasStoredMetrics()) metrics.publishStoredMetrics();
    },
  };
}
