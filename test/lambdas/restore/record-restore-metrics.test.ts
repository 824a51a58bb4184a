import { recordRestoreMetrics } from '../../../lambdas/restore/record-restore-metrics';
import { type Outcome, type OutcomeName, OUTCOMES } from '../../../core/restore/restore-outcomes';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';

const ALL = Object.entries(OUTCOMES) as [OutcomeName, Outcome][];

test.each(ALL)('counts %s once, and its latency except without a token', (name, { metric }) => {
  const metrics = new CountingMetrics();

  recordRestoreMetrics(metrics, name, 1_234);

  const { RestoreNotCounted, ...counts } = metrics.counts;
  expect(counts).toEqual({ [metric]: 1 });
  const isReportedElsewhere = metric === 'RestoreNotOffered' || metric === 'RestoreWithoutToken';
  expect(RestoreNotCounted).toBe(isReportedElsewhere ? 1 : undefined);
  expect(metrics.measured).toEqual(name === 'tokenUnavailable' ? [] : [['RestoreLatency', 1_234]]);
});
