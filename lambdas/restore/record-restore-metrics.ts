import { type RestoreMetric } from '../../core/alarms/metrics';
import { type OutcomeName, OUTCOMES } from '../../core/restore/restore-outcomes';
import { type Metrics } from '../shared/ports';

/** 5xx responses that other alarms than `restore-errors` report. */
const NOT_COUNTED: readonly RestoreMetric[] = ['RestoreNotOffered', 'RestoreWithoutToken'];

/**
 * Records the metrics of one response: its outcome and latency.
 * @see core/alarms/metrics.ts
 */
export function recordRestoreMetrics(metrics: Metrics, outcome: OutcomeName, durationMs: number): void {
  const { metric } = OUTCOMES[outcome];
  metrics.count(metric);
  if (NOT_COUNTED.includes(metric)) metrics.count('RestoreNotCounted');
  if (metric === 'RestoreWithoutToken') return;
  metrics.count('RestoreLatency', durationMs);
}
