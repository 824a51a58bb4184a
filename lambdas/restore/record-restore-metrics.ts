import { type RestoreMetric } from '../../contract/metrics';
import { type Outcome, type OutcomeName, OUTCOMES } from '../../contract/restore-outcomes';
import { type Metrics } from '../shared/ports';

/**
 * Records the metrics of one response: its outcome and latency.
 * @see contract/metrics.ts
 */
export function recordRestoreMetrics(metrics: Metrics, outcome: OutcomeName, durationMs: number): void {
  if (outcome === 'tokenUnavailable') return metrics.count('RestoreWithoutToken');
  metrics.count(metricOf(OUTCOMES[outcome]));
  metrics.count('RestoreLatency', durationMs);
}

function metricOf({ status, code }: Outcome): RestoreMetric {
  if (status === 200) return 'Restored';
  if (code === 'outcome_unknown') return 'RestoreOutcomeUnknown';
  if (status === 501) return 'RestoreNotOffered';
  return status < 500 ? 'RestoreRefused' : 'RestoreFailed';
}
