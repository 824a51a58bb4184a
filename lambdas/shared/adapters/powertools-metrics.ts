import { Metrics as PowertoolsMetrics, MetricUnit } from '@aws-lambda-powertools/metrics';

import { METRIC_NAMESPACE } from '../../../contract/metrics';
import { type Cell } from '../../../contract/token-key';
import { type Metrics } from '../ports';

/**
 * Metrics in embedded metric format, with the cell as dimensions: one line for all of them, and one more for every
 * further dimension's value.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function powertoolsMetrics({ environment, platformRegion }: Cell): Metrics & { flush(): void } {
  const lines = new Map<string | undefined, PowertoolsMetrics>();

  function lineOf(code: string | undefined): PowertoolsMetrics {
    const known = lines.get(code);
    if (known !== undefined) return known;
    const line = new PowertoolsMetrics({ namespace: METRIC_NAMESPACE });
    // The constructor always adds a dimension `service`, with which alarms on the cell's two would find nothing.
    line.clearDefaultDimensions();
    line.setDefaultDimensions({ environment, platformRegion, ...(code !== undefined && { code }) });
    lines.set(code, line);
    return line;
  }

  return {
    count: (name, value = 1, dimensions) => lineOf(dimensions?.code).addMetric(name, MetricUnit.Count, value),
    flush: () => {
      for (const line of lines.values()) {
        // With nothing stored it would print a warning, in every quiet invocation.
        if (line.hasStoredMetrics()) line.publishStoredMetrics();
      }
    },
  };
}
