import { type GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../../core/alarms/alarm-rows';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { ALARMED_FINDINGS } from '../../../core/alarms/metrics';
import { CREDENTIAL_KINDS } from '../../../core/secrets/secret-names';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type CredentialWatch } from './credential-watch';
import { graph } from './graph';

/** The dashboard's graphs about credentials. `maxAgeDays` is the age at which a credential must be replaced. */
export function credentialWidgets(
  watch: CredentialWatch,
  rotator: CredentialRotator,
  {
    maxAgeDays,
    apiKeyUrgentDays,
    fullMonitoring,
  }: AlarmThresholds & Pick<DeploymentFile, 'fullMonitoring'> & { maxAgeDays: number },
): GraphWidget[] {
  return [
    graph({
      title: 'Age of the oldest credential',
      unit: 'days',
      metrics: fullMonitoring
        ? CREDENTIAL_KINDS.map((kind) => watch.metricCredentialAge(kind, { label: kind }))
        : [watch.metricOldestCredentialAge({ label: 'any kind' })],
      limit: { value: maxAgeDays, label: 'rotation overdue' },
    }),
    graph({
      title: 'Days until the first API key expires',
      unit: 'days',
      metrics: [watch.metricDaysToExpiry({ label: 'api-key' })],
      limit: { value: apiKeyUrgentDays, label: 'urgent' },
    }),
    graph({
      title: 'Rotations by outcome',
      unit: 'rotations',
      metrics: [
        rotator.metricRotationSucceeded({ label: 'succeeded' }),
        rotator.metricRotationRefused({ label: 'rejected by the platform' }),
        rotator.metricRotationUntested({ label: 'could not be tested' }),
        rotator.metricRotationCandidateMissing({ label: 'no credential staged' }),
        rotator.metricRotationFailed({ label: 'failed for another reason' }),
      ],
    }),
    graph({
      title: 'Rotation findings',
      unit: 'findings',
      metrics: ALARMED_FINDINGS.map((kind) =>
        watch.metricFinding(kind, { label: kind, statistic: Stats.MAXIMUM }),
      ),
    }),
    graph({
      title: 'Runs of credential-watch',
      unit: 'runs',
      metrics: [watch.metricWatchRun({ label: 'runs' })],
    }),
  ];
}
