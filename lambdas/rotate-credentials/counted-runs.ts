import { type RotationMetric } from '../../core/alarms/metrics';
import { type Metrics } from '../shared/ports';

/** Maximum runs remembered. Secrets Manager retries within minutes, and few secrets rotate at once. */
const CAPACITY = 1_000;

/**
 * Counts each outcome of a run once, although Secrets Manager retries a failed run several times. Each process remembers
 * only its own runs, so a process that starts during a run may count an outcome again.
 */
export class CountedRuns {
  private readonly outcomes = new Map<string, Set<RotationMetric>>();

  /** Counts nothing after a run has succeeded. */
  count(versionId: string, outcome: RotationMetric, metrics: Metrics): void {
    const counted = this.outcomes.get(versionId) ?? new Set();
    if (counted.has(outcome) || counted.has('RotationSucceeded')) return;
    this.outcomes.set(versionId, counted.add(outcome));
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > CAPACITY) this.outcomes.delete(oldest!);
    metrics.count(outcome);
  }
}
