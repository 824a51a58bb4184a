import { type GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';

import { ALARMED_FINDINGS } from '../../../contract/metrics';
import { CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { type AlarmThresholds } from '../../config/alarm-settings';
import { type CredentialRotator } from '../credentials/credential-rotator';
import { type CredentialWatch } from './credential-watch';
import { graph } from './graph';

/**
 * What the dashboard shows of credentials.
 * @param limits with the age, in days, at which a credential is to be replaced
 */
export function credentialWidgets(
  watch: CredentialWatch,
  rotator: CredentialRotator,
  { maxAgeDays, apiKeyUrgentDays }: AlarmThresholds & { maxAgeDays: number },
): GraphWidget[] {
  return [
    graph({
      title: 'Age of the oldest credential',
      unit: 'days',
      metrics: CREDENTIAL_KINDS.map((kind) => watch.metricCredentialAge(kind, { label: kind })),
      limit: { value: maxAgeDays, label: 'to be replaced' },
    }),
    graph({
      title: 'Days until the first API key ends',
      unit: 'days',
      metrics: [watch.metricDaysToExpiry({ label: 'api-key' })],
      limit: { value: apiKeyUrgentDays, label: 'urgent' },
    }),
    graph({
      title: 'Rotations by outcome',
      unit: 'rotations',
      metrics: [
        rotator.metricRotationSucceeded({ label: 'succeeded' }),
        rotator.metricRotationRefused({ label: 'refused by the platform' }),
        rotator.metricRotationUntested({ label: 'could not be tested' }),
        rotator.metricRotationCandidateMissing({ label: 'nothing was staged' }),
        rotator.metricRotationFailed({ label: 'failed otherwise' }),
      ],
    }),
    graph({
      title: 'Findings about rotations',
      unit: 'findings',
      metrics: ALARMED_FINDINGS.map((kind) =>
        watch.metricFinding(kind, { label: kind, statistic: Stats.MAXIMUM }),
      ),
    }),
    graph({
      title: 'Looks at the credentials',
      unit: 'looks',
      metrics: [watch.metricWatchRun({ label: 'looks' })],
    }),
  ];
}
