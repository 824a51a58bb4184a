import { Metrics as PowertoolsMetrics, MetricUnit } from '@aws-lambda-powertools/metrics';

import { METRIC_NAMESPACE, METRIC_UNITS, type MetricDimension } from '../../../contract/metrics';
import { type Cell } from '../../../contract/token-key';
import { type Metrics } from '../ports';

/**
 * Metrics in embedded metric format, with the cell as dimensions: one line for all of them, and one more for every
 * further dimension's value.
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function powertoolsMetrics({ environment, platformRegion }: Cell): Metrics & { flush(): void } {
  const lines = new Map<string, PowertoolsMetrics>();

  function lineOf(dimension: MetricDimension | undefined): PowertoolsMetrics {
    const name = JSON.stringify(dimension) ?? '';
    const known = lines.get(name);
    if (known !== undefined) return known;
    const line = new PowertoolsMetrics({ namespace: METRIC_NAMESPACE });
    // The constructor always adds a dimension `service`, with which alarms on the cell's two would find nothing.
    line.clearDefaultDimensions();
    line.setDefaultDimensions({ environment, platformRegion, ...dimension });
    lines.set(name, line);
    return line;
  }

  return {
    count: (name, value = 1, dimension) =>
      lineOf(dimension).addMetric(name, METRIC_UNITS[name] ?? MetricUnit.Count, value),
    flush: () => {
      for (const line of lines.values()) {
        // With nothing stored it would print a warning, in every quiet invocation.
        if (line.hasStoredMetrics()) line.publishStoredMetrics();
      }
    },
  };
}
