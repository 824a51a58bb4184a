import { type Metric, type MetricDimension } from '../../../core/alarms/metrics';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Sums metrics by name, or by name and dimension, as in `TokenFault tls_failed`. */
export class SummedMetrics implements Metrics {
  readonly sums: Record<string, number> = {};

  count(name: Metric, value = 1, dimension?: MetricDimension): void {
    const full = [name, ...Object.values(dimension ?? {})].join(' ');
    this.sums[full] = (this.sums[full] ?? 0) + value;
  }
}
