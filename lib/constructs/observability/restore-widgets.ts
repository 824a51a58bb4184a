import { Duration } from 'aws-cdk-lib';
import { type GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../config/alarm-settings';
import { graph } from './graph';
import { type RestoreApi } from '../restore/restore-api';

/** The dashboard's graphs about the restore API. */
export function restoreWidgets(api: RestoreApi, { restoreLatencySec }: AlarmThresholds): GraphWidget[] {
  return [
    graph({
      title: 'Restores by outcome',
      unit: 'responses',
      metrics: [
        api.metricOutcome('Restored', { label: 'restored' }),
        api.metricOutcome('RestoreRefused', { label: 'refused' }),
        api.metricOutcome('RestoreNotOffered', { label: 'not offered' }),
        api.metricOutcome('RestoreWithoutToken', { label: 'without a token' }),
        api.metricOutcome('RestoreFailed', { label: 'failed' }),
        api.metricOutcome('RestoreOutcomeUnknown', { label: 'outcome unknown' }),
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
