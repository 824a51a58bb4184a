import { type Metric } from '../../../core/alarms/metrics';
import { recordRestoreMetrics } from '../../../lambdas/restore/record-restore-metrics';
import { type OutcomeName, OUTCOMES, type Outcome } from '../../../core/restore/restore-outcomes';
import { CountingMetrics } from '../../support/lambdas/counting-metrics';

const OTHERS: Partial<Record<OutcomeName, Metric>> = {
  restored: 'Restored',
  restoreUnavailable: 'RestoreNotOffered',
  restoreAbsent: 'RestoreNotOffered',
  tokenUnavailable: 'RestoreWithoutToken',
  tokenOutOfReach: 'RestoreFailed',
  platformUnreachable: 'RestoreFailed',
  platformRefusedToken: 'RestoreFailed',
  platformFailed: 'RestoreFailed',
  unknownAfterAnswer: 'RestoreOutcomeUnknown',
  contradictedByRecord: 'RestoreOutcomeUnknown',
  unknownWithoutAnswer: 'RestoreOutcomeUnknown',
};
const ALL = Object.entries(OUTCOMES) as [OutcomeName, Outcome][];

test.each(ALL)('counts %s once', (name) => {
  const metrics = new CountingMetrics();

  recordRestoreMetrics(metrics, name, 1_234);

  const { RestoreNotCounted, ...counts } = metrics.counts;
  expect(counts).toEqual({ [OTHERS[name] ?? 'RestoreRefused']: 1 });
  const isReportedElsewhere = 'RestoreNotOffered' in counts || 'RestoreWithoutToken' in counts;
  expect(RestoreNotCounted).toBe(isReportedElsewhere ? 1 : undefined);
});

test.each(ALL)('records the latency of %s, except without a token', (name) => {
  const metrics = new CountingMetrics();

  recordRestoreMetrics(metrics, name, 1_234);

  expect(metrics.measured).toEqual(name === 'tokenUnavailable' ? [] : [['RestoreLatency', 1_234]]);
});

test.each(ALL)(
  'counts %s as failed only if it certainly modified nothing, and as refused only for a 4xx',
  (name, outcome) => {
    const metrics = new CountingMetrics();

    recordRestoreMetrics(metrics, name, 0);

    const { RestoreFailed = 0, RestoreRefused = 0 } = metrics.counts;
    expect(RestoreFailed === 1 && outcome.mayHaveChanged).toBe(false);
    expect(RestoreRefused === 1).toBe(outcome.status >= 400 && outcome.status < 500);
  },
);
