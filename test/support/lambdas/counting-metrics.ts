import { type Metric, type TokenFault } from '../../../contract/metrics';
import { type FindingKind } from '../../../contract/finding-kinds';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Metrics as their sums. */
export class CountingMetrics implements Metrics {
  /** Of the metrics that have no dimension of their own. */
  readonly counts: Partial<Record<Metric, number>> = {};
  /** Of `TokenFault` or `Finding`, by its code. */
  readonly faults: Partial<Record<TokenFault | FindingKind, number>> = {};

  count(name: Metric, value = 1, dimensions?: { code: TokenFault | FindingKind }): void {
    if (dimensions === undefined) this.counts[name] = (this.counts[name] ?? 0) + value;
    else this.faults[dimensions.code] = (this.faults[dimensions.code] ?? 0) + value;
  }
}
