import { Duration } from 'aws-cdk-lib';
import { type ConcreteWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../../core/alarms/alarm-rows';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { graph, loggedGraph } from './graph';
import { type RestoreApi } from '../restore/restore-api';

const OUTCOMES = 'Restores by outcome';
const LABELS = {
  Restored: 'restored',
  RestoreRefused: 'refused',
  RestoreNotOffered: 'not offered',
  RestoreWithoutToken: 'without a token',
  RestoreFailed: 'failed',
  RestoreOutcomeUnknown: 'outcome unknown',
} as const;

export function restoreWidgets(
  api: RestoreApi,
  { restoreLatencySec, fullMonitoring }: AlarmThresholds & Pick<DeploymentFile, 'fullMonitoring'>,
): ConcreteWidget[] {
  return [
    fullMonitoring
      ? graph({
          title: OUTCOMES,
          unit: 'responses',
          metrics: Object.entries(LABELS).map(([metric, label]) =>
            api.metricOutcome(metric as keyof typeof LABELS, { label }),
          ),
        })
      : loggedGraph({
          title: OUTCOMES,
          logGroupNames: [api.logGroupName],
          query: [
            `stats ${Object.keys(LABELS)
              .map((metric) => `count(${metric})`)
              .join(', ')} by bin(5m)`,
          ],
        }),
    graph({
      title: 'Restore latency',
      unit: 'ms',
      metrics: [50, 90, 99].map((percentile) =>
        api.metricLatency({ statistic: Stats.p(percentile), label: `p${percentile}` }),
      ),
      limit: { value: restoreLatencySec * 1000, label: 'too long for p90' },
    }),
    graph({
      title: 'API responses',
      unit: 'responses',
      metrics: [api.metricRequests({ label: 'all' }), api.metricServerErrors({ label: '5xx' })],
    }),
    graph({
      title: 'Throttled function runs',
      unit: 'runs',
      metrics: api.metricsThrottles(),
    }),
    graph({
      title: 'Offer of restore contradicts the configuration',
      unit: 'yes or no',
      metrics: [
        api.metricAvailabilityMismatch({
          statistic: Stats.MAXIMUM,
          period: Duration.hours(1),
          label: '1: it does',
        }),
      ],
    }),
  ];
}
