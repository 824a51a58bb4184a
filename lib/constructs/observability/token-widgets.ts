import { type ConcreteWidget } from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../../core/alarms/alarm-rows';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { REFUSAL_FAULTS } from '../../../core/alarms/metrics';
import { graph, loggedGraph } from './graph';
import { blockingFaultsOf } from './token-alarm-conditions';
import { type TokenRefresher } from '../tokens/token-refresher';

const LIFE_LEFT = 'Time until the first token expires';
const RENEWALS = 'Renewals by outcome';
const REQUESTS = 'Token requests to the platform';

export function tokenWidgets(
  refresher: TokenRefresher,
  { tokenLifeMinutes }: AlarmThresholds,
  deployment: DeploymentFile,
): ConcreteWidget[] {
  const { logGroupNames } = refresher;
  const faults = [...REFUSAL_FAULTS, ...blockingFaultsOf(deployment), 'platform_unavailable'] as const;
  return [
    ...(deployment.fullMonitoring === true
      ? [
          graph({
            title: LIFE_LEFT,
            unit: 's',
            metrics: [refresher.metricTokenLifeLeft({ label: 'time left' })],
            limit: { value: tokenLifeMinutes * 60, label: 'too short for readers' },
          }),
          graph({
            title: RENEWALS,
            unit: 'renewals',
            metrics: [
              refresher.metricTokenRenewed({ label: 'renewed' }),
              refresher.metricTokenRenewalFailed({ label: 'failed' }),
            ],
          }),
          graph({
            title: REQUESTS,
            unit: 'requests',
            metrics: [refresher.metricTokenRequest({ label: 'requests' })],
          }),
        ]
      : [
          loggedGraph({
            title: LIFE_LEFT,
            logGroupNames,
            query: ['filter ispresent(TokenLifeLeft)', 'stats min(TokenLifeLeft) as seconds by bin(5m)'],
          }),
          loggedGraph({
            title: RENEWALS,
            logGroupNames,
            query: [
              "filter message = 'sweep ended'",
              'stats sum(refreshed) as renewed, sum(failed) as not_renewed by bin(5m)',
            ],
          }),
          loggedGraph({
            title: REQUESTS,
            logGroupNames,
            query: ['filter ispresent(TokenRequest)', 'stats sum(TokenRequest) as requests by bin(5m)'],
          }),
        ]),
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
    graph({
      title: 'Dead letters',
      unit: 'messages',
      metrics: [refresher.metricDeadLetters({ label: 'messages' })],
    }),
  ];
}
