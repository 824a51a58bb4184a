import { type RotationMetric } from '../../contract/metrics';
import { type Metrics } from '../shared/ports';

/** Runs that are remembered. A run is repeated within minutes, and a deployment rotates few secrets at once. */
const CAPACITY = 1_000;

/**
 * Counts each outcome of a run once, though Secrets Manager repeats a run that failed several times.
 * A process remembers its own runs only: one that starts in the middle of a run may count an outcome once more.
 */
export class CountedRuns {
  private readonly outcomes = new Map<string, Set<RotationMetric>>();

  /** A run that succeeded counts nothing any more. */
  count(versionId: string, outcome: RotationMetric, metrics: Metrics): void {
    const counted = this.outcomes.get(versionId) ?? new Set();
    if (counted.has(outcome) || counted.has('RotationSucceeded')) return;
    this.outcomes.set(versionId, counted.add(outcome));
    const [oldest] = this.outcomes.keys();
    if (this.outcomes.size > CAPACITY) this.outcomes.delete(oldest!);
    metrics.count(outcome);
  }
}
