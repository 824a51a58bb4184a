import { type Metric, METRIC_UNITS, type MetricDimension, type TokenFault } from '../../../contract/metrics';
import { type FindingKind } from '../../../contract/finding-kinds';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Metrics as their sums, and what was measured one by one. */
export class CountingMetrics implements Metrics {
  /** Of the metrics that count and have no dimension of their own. */
  readonly counts: Partial<Record<Metric, number>> = {};
  /** Of `TokenFault` or `Finding`, by its code. */
  readonly faults: Partial<Record<TokenFault | FindingKind, number>> = {};
  /** All others in their order: the name, with the dimension where there is one, and the value. */
  readonly measured: [string, number][] = [];

  count(name: Metric, value = 1, dimension?: MetricDimension): void {
    const isByCode = name === 'TokenFault' || name === 'Finding';
    if (isByCode && dimension !== undefined && 'code' in dimension) {
      this.faults[dimension.code] = (this.faults[dimension.code] ?? 0) + value;
    } else if (dimension === undefined && METRIC_UNITS[name] === undefined) {
      this.counts[name] = (this.counts[name] ?? 0) + value;
    } else {
      this.measured.push([[name, ...Object.values(dimension ?? {})].join(' '), value]);
    }
  }

  /** Forgets what was measured so far, and tells it. */
  takeMeasured(): Record<string, number> {
    return Object.fromEntries(this.measured.splice(0));
  }
}
