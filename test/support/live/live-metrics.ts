import {
  deploymentDimensions,
  isNeeded,
  type MeasuredDeployment,
  type Metric,
  METRIC_NAMESPACE,
  METRIC_UNITS,
  type MetricDimension,
} from '../../../core/alarms/metrics';
import { type Clock, type Metrics } from '../../../lambdas/shared/ports';
import { type MetricDatum } from 'cdk-on-loopback/testing';

/**
 * The metrics of one process, as CloudWatch gets them from its log: all at the end of an invocation, at the
 * process's time. A killed invocation reports none.
 */
export class LiveMetrics implements Metrics {
  readonly #dimensions: Record<string, string>;
  readonly #fullMonitoring: boolean | undefined;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #put: (data: readonly MetricDatum[]) => void;
  #counted: Omit<MetricDatum, 'timestampMs'>[] = [];

  constructor(
    deployment: MeasuredDeployment,
    clock: Pick<Clock, 'nowMs'>,
    put: (data: readonly MetricDatum[]) => void,
  ) {
    this.#dimensions = deploymentDimensions(deployment);
    this.#fullMonitoring = deployment.fullMonitoring;
    this.#clock = clock;
    this.#put = put;
  }

  count(metricName: Metric, value = 1, dimension?: MetricDimension): void {
    if (this.#fullMonitoring !== true && !isNeeded(metricName, value, dimension)) return;
    this.#counted.push({
      namespace: METRIC_NAMESPACE,
      metricName,
      dimensions: { ...this.#dimensions, ...dimension },
      unit: METRIC_UNITS[metricName] ?? 'Count',
      value,
    });
  }

  flush(): void {
    const timestampMs = this.#clock.nowMs();
    this.#put(this.#counted.map((datum) => ({ ...datum, timestampMs })));
    this.#counted = [];
  }
}
