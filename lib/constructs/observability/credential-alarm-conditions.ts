import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type AlarmThresholds } from '../../../core/alarms/alarm-rows';
import { deployedKindsOf, type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type FindingKind } from '../../../core/findings/finding-kinds';
import { type AlarmConditions, atLeast, atMost, summed, LAST_WATCH_RUN, silent } from './alarm-condition';
import { type CredentialWatch, WATCH_INTERVAL } from './credential-watch';

/** Findings about a rotation that an operator must finish or clean up. */
const STUCK = [
  'pending_left_behind',
  'candidate_left_behind',
  'candidate_waiting',
] as const satisfies FindingKind[];

/** Missed runs in a row after which credential-watch counts as silent. A single failed run does not. */
const MISSED_RUNS = 2;

/** Conditions of the alarms about credentials. */
export function credentialAlarmConditions(
  watch: CredentialWatch,
  deployment: DeploymentFile,
  thresholds: AlarmThresholds,
): AlarmConditions {
  // The minimum, so that the run after a fix clears the alarm at once rather than six hours later.
  const found = (kind: FindingKind) =>
    watch.metricFinding(kind, { statistic: cloudwatch.Stats.MINIMUM, period: LAST_WATCH_RUN });
  const daysToExpiry = watch.metricDaysToExpiry({ period: LAST_WATCH_RUN });
  const age = summed([watch.metricOldestCredentialAge({ period: LAST_WATCH_RUN })], {
    label: 'age of the oldest credential, in days',
    period: LAST_WATCH_RUN,
  });
  const stuck = summed(STUCK.map(found), { label: 'unfinished rotations', period: LAST_WATCH_RUN });
  const { maxAgeDays } = deployment.credentials;
  const apiKeyConditions = {
    'api-key-expiring': atMost(daysToExpiry, thresholds.apiKeyNoticeDays),
    'api-key-expiring-soon': atMost(daysToExpiry, thresholds.apiKeyUrgentDays),
  };
  return {
    'rotation-due': atLeast(age, maxAgeDays - thresholds.rotationNoticeDays),
    'rotation-overdue': atLeast(age, maxAgeDays),
    'rotation-refused': atLeast(found('candidate_refused'), 1),
    'rotation-untested': atLeast(found('candidate_untested'), 1),
    'rotation-stuck': atLeast(stuck, 1),
    ...(deployedKindsOf(deployment).includes('api-key') && apiKeyConditions),
    'watch-silent': silent(watch.metricWatchRun({ period: Duration.hours(1) }), WATCH_INTERVAL, MISSED_RUNS),
  };
}
