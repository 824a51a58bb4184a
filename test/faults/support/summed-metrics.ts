import { type Metric } from '../../../contract/metrics';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Metrics as their sums: by name, or `name code` where they have that dimension. */
export class SummedMetrics implements Metrics {
  readonly sums: Record<string, number> = {};

  count(name: Metric, value = 1, dimensions?: { code: string }): void {
    const full = dimensions === undefined ? name : `${name} ${dimensions.code}`;
    this.sums[full] = (this.sums[full] ?? 0) + value;
  }
}
