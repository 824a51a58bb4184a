import { type TokenMetric } from '../../../contract/metrics';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Metrics as their sums. */
export class CountingMetrics implements Metrics {
  readonly counts: Partial<Record<TokenMetric, number>> = {};

  count(name: TokenMetric, value = 1): void {
    this.counts[name] = (this.counts[name] ?? 0) + value;
  }
}
