import { type GraphWidget } from 'aws-cdk-lib/aws-cloudwatch';

import { type DeploymentFile } from '../../../contract/deployment-file';
import { REFUSAL_FAULTS } from '../../../contract/metrics';
import { type AlarmThresholds } from '../../config/alarm-settings';
import { graph } from './graph';
import { blockingFaultsOf } from './token-alarm-conditions';
import { type TokenRefresher } from '../tokens/token-refresher';

/** The dashboard's graphs about tokens. */
export function tokenWidgets(
  refresher: TokenRefresher,
  { tokenLifeMinutes }: AlarmThresholds,
  deployment: DeploymentFile,
): GraphWidget[] {
  const faults = [...REFUSAL_FAULTS, ...blockingFaultsOf(deployment), 'platform_unavailable'] as const;
  return [
    graph({
      title: 'Time until the first token expires',
      unit: 's',
      metrics: [refresher.metricTokenLifeLeft({ label: 'time left' })],
      limit: { value: tokenLifeMinutes * 60, label: 'too short for readers' },
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
      title: 'Token requests to the platform',
      unit: 'requests',
      metrics: [refresher.metricTokenRequest({ label: 'requests' })],
    }),
    graph({
      title: 'Faults during renewals',
      unit: 'renewals',
      metrics: faults.map((code) => refresher.metricTokenFault(code, { label: code })),
    }),
    graph({
      title: 'Refused token writes',
      unit: 'writes',
      metrics: [refresher.metricTokenWriteRefused({ label: 'refused' })],
    }),
    graph({
      title: 'Sweep duration',
      unit: 'ms',
      metrics: [refresher.metricSweepDuration({ label: 'longest' })],
    }),
  ];
}
