import {
  type Metric,
  METRIC_UNITS,
  type MetricDimension,
  type TokenFault,
} from '../../../core/alarms/metrics';
import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type Metrics } from '../../../lambdas/shared/ports';

/** Metrics as sums, and single measurements. */
export class CountingMetrics implements Metrics {
  /** Sums of counters without a dimension of their own. */
  readonly counts: Partial<Record<Metric, number>> = {};
  /** Sums of `TokenFault` and `Finding` by code. */
  readonly faults: Partial<Record<TokenFault | FindingKind, number>> = {};
  /** All other values in order: the name, with the dimension if any, and the value. */
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

  takeMeasured(): Record<string, number> {
    return Object.fromEntries(this.measured.splice(0));
  }
}
