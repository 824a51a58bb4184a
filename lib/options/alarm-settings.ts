import { z } from 'zod';

import { GUARANTEED_LIFE_SEC } from '../../core/tokens/lifetimes';
import { arn } from './arn';

/** A whole number within bounds, with a default. */
function whole(unit: string, [from, to]: [number, number], usual: number): z.ZodDefault<z.ZodInt> {
  const error = `whole ${unit} from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error }).default(usual);
}

/** The thresholds of a deployment's alarms. */
export const alarmThresholds = z.strictObject({
  // At most the validity guaranteed in normal operation; more would raise false alarms.
  tokenLifeMinutes: whole('minutes', [1, GUARANTEED_LIFE_SEC / 60], 5).describe(
    'A token expires in less than this.',
  ),
  tokenRequestsPerTokenAndHour: whole('requests', [1, 60], 6).describe(
    'More token requests per hour and declared token than this, and more than 20 in total. Requests of failed renewals do not count.',
  ),
  missedSweeps: whole('sweeps', [1, 12], 2).describe(
    'This many sweeps in a row did not finish. Each counts six minutes, because a sweep may start a minute late.',
  ),
  deadLetters: whole('messages', [1, 100], 3).describe(
    'This many function runs failed or could not start. Only with fullMonitoring.',
  ),
  rotationNoticeDays: whole('days', [1, 90], 14).describe(
    'A credential reaches credentials.maxAgeDays within this many days. Only with fullMonitoring.',
  ),
  apiKeyNoticeDays: whole('days', [2, 90], 30).describe(
    'An API key expires within this many days. Only with fullMonitoring.',
  ),
  apiKeyUrgentDays: whole('days', [1, 30], 7).describe(
    'An API key expires within this many days; this alarm notifies.',
  ),
  restoreErrorsAtLeast: whole('answers', [1, 1000], 5).describe(
    'At least this many restores fail with 5xx (other than 501) within 15 minutes, and restoreErrorPercent is reached.',
  ),
  restoreErrorPercent: whole('percent', [1, 100], 25).describe(
    'At least this share of restores fails within 15 minutes, and restoreErrorsAtLeast is reached.',
  ),
  restoreOutcomesUnknown: whole('answers', [1, 1000], 5).describe(
    'At least this many restores end with an unknown outcome within an hour.',
  ),
  restoreLatencySec: whole('seconds', [1, 28], 10).describe(
    'One restore in ten takes longer than this for 15 minutes.',
  ),
  throttles: whole('runs', [1, 1000], 1).describe(
    'At least this many runs per five minutes are throttled for 15 minutes. The token functions do not count.',
  ),
});

/** When the alarms of a deployment go into alarm. */
export interface AlarmThresholdOptions {
  /** A token expires in less than this, in minutes. @default 5 */
  readonly tokenLifeMinutes?: number;
  /** More token requests per hour and declared token than this, and more than 20 in total. @default 6 */
  readonly tokenRequestsPerTokenAndHour?: number;
  /** This many sweeps in a row did not finish. @default 2 */
  readonly missedSweeps?: number;
  /** This many function runs failed or could not start. Only with `fullMonitoring`. @default 3 */
  readonly deadLetters?: number;
  /** A credential must be rotated within this many days. Only with `fullMonitoring`. @default 14 */
  readonly rotationNoticeDays?: number;
  /** An API key expires within this many days. Only with `fullMonitoring`. @default 30 */
  readonly apiKeyNoticeDays?: number;
  /** An API key expires within this many days; this alarm notifies. @default 7 */
  readonly apiKeyUrgentDays?: number;
  /** At least this many restores fail within 15 minutes, and `restoreErrorPercent` is reached. @default 5 */
  readonly restoreErrorsAtLeast?: number;
  /** At least this share of restores fails within 15 minutes, and `restoreErrorsAtLeast` is reached. @default 25 */
  readonly restoreErrorPercent?: number;
  /** At least this many restores end with an unknown outcome within an hour. @default 5 */
  readonly restoreOutcomesUnknown?: number;
  /** One restore in ten takes longer than this for 15 minutes, in seconds. @default 10 */
  readonly restoreLatencySec?: number;
  /** At least this many runs per five minutes are throttled for 15 minutes. @default 1 */
  readonly throttles?: number;
}

/** The thresholds with every default filled in. */
export type AlarmThresholds = Required<AlarmThresholdOptions>;

/** The default thresholds. */
export const DEFAULT_ALARM_THRESHOLDS: AlarmThresholds = alarmThresholds.parse({});

const LOCAL_PART = "[A-Za-z0-9.!#$%&'*+=?^_`{|}~-]+";
const HOST_NAME = '[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+';
const email = z
  .string({ error: 'an e-mail address' })
  .max(254, { error: 'an e-mail address' })
  .regex(new RegExp(`^${LOCAL_PART}@${HOST_NAME}$`), { error: 'an e-mail address' });

/** The `alarms` object of a deployment's configuration. */
export const alarms = z.strictObject({
  topicArn: arn('sns', '[A-Za-z0-9_-]+')
    .optional()
    .describe(
      'Your own SNS topic instead of a new one. If it is encrypted, its key policy must allow CloudWatch.',
    ),
  topicKmsKeyArn: arn('kms', 'key/[A-Za-z0-9-]+')
    .optional()
    .describe(
      'An existing KMS key for the new topic. A synthesis says which statements its policy needs. Default: the deployment’s key, or with kmsKeyArn a new one.',
    ),
  emails: z
    .array(email, { error: 'a list of e-mail addresses' })
    .refine((list) => new Set(list).size === list.length, { error: 'each e-mail address once' })
    .default([])
    .describe(
      'E-mail addresses to notify. Each recipient must confirm the message that AWS sends at deployment.',
    ),
  ...alarmThresholds.shape,
});
