import { type GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';

import { REFUSAL_FAULTS } from '../../../contract/metrics';
import { type AlarmThresholds } from '../../config/alarm-settings';
import { graph } from './graph';
import { BLOCKING_FAULTS } from './token-alarm-conditions';
import { type TokenRefresher } from '../tokens/token-refresher';

/** What the dashboard shows of tokens. */
export function tokenWidgets(
  refresher: TokenRefresher,
  { tokenLifeMinutes }: AlarmThresholds,
): GraphWidget[] {
  const faults = [...REFUSAL_FAULTS, ...BLOCKING_FAULTS, 'platform_unavailable'] as const;
  return [
    graph({
      title: 'Life left of the token that ends first',
      unit: 's',
      metrics: [refresher.metricTokenLifeLeft({ label: 'life left' })],
      limit: { value: tokenLifeMinutes * 60, label: 'too little for readers' },
    }),
    graph({
      title: 'Renewals by outcome',
      unit: 'renewals',
      metrics: [
        refresher.metricTokenRenewed({ label: 'renewed' }),
        refresher.metricTokenRenewalFailed({ label: 'failed' }),
      ],
    }),
    graph({
      title: 'Requests to the platform’s token endpoints',
      unit: 'requests',
      metrics: [refresher.metricTokenRequest({ label: 'requests' })],
    }),
    graph({
      title: 'What renewals met',
      unit: 'renewals',
      metrics: faults.map((code) => refresher.metricTokenFault(code, { label: code })),
    }),
    graph({
      title: 'Writes of tokens that were refused',
      unit: 'writes',
      metrics: [refresher.metricTokenWriteRefused({ label: 'refused' })],
    }),
    graph({
      title: 'Duration of sweeps',
      unit: 'ms',
      metrics: [refresher.metricSweepDuration({ label: 'longest' })],
    }),
  ];
}
