import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';

import { type FindingKind } from '../../../contract/finding-kinds';
import { CREDENTIAL_KINDS } from '../../../contract/secret-names';
import { type AlarmThresholds } from '../../config/alarm-settings';
import { type AlarmConditions, atLeast, atMost, combined, LAST_LOOK, silent } from './alarm-condition';
import { type CredentialWatch } from './credential-watch';

/** Findings of a rotation that somebody has to finish or to take back. */
const STUCK = [
  'pending_left_behind',
  'candidate_left_behind',
  'candidate_waiting',
] as const satisfies FindingKind[];

/** Of the schedule's looks; one may fail. */
const MISSED_LOOKS = 2;

/**
 * When the alarms about credentials ring.
 * @param maxAgeDays age at which a credential is to be replaced
 */
export function credentialAlarmConditions(
  watch: CredentialWatch,
  maxAgeDays: number,
  thresholds: AlarmThresholds,
): AlarmConditions {
  // The least of all looks: who mended something looks again, and the alarm ends with that look, not six hours later.
  const found = (kind: FindingKind) =>
    watch.metricFinding(kind, { statistic: cloudwatch.Stats.MINIMUM, period: LAST_LOOK });
  const daysToExpiry = watch.metricDaysToExpiry({ period: LAST_LOOK });
  const age = combined(
    'largest',
    CREDENTIAL_KINDS.map((kind) => watch.metricCredentialAge(kind, { period: LAST_LOOK })),
    { label: 'age of the oldest credential, in days', period: LAST_LOOK },
  );
  const stuck = combined('sum', STUCK.map(found), { label: 'unfinished rotations', period: LAST_LOOK });
  return {
    'rotation-due': atLeast(age, maxAgeDays - thresholds.rotationNoticeDays),
    'rotation-overdue': atLeast(age, maxAgeDays),
    'rotation-refused': atLeast(found('candidate_refused'), 1),
    'rotation-untested': atLeast(found('candidate_untested'), 1),
    'rotation-stuck': atLeast(stuck, 1),
    'api-key-expiring': atMost(daysToExpiry, thresholds.apiKeyNoticeDays),
    'api-key-expiring-soon': atMost(daysToExpiry, thresholds.apiKeyUrgentDays),
    'watch-silent': silent(watch.metricWatchRun(), MISSED_LOOKS),
  };
}
