import { z } from 'zod';

import { GUARANTEED_LIFE_SEC } from '../../contract/lifetimes';
import { arn } from './arn';

/** A whole number of something between two bounds. */
function whole(unit: string, [from, to]: [number, number], usual: number): z.ZodDefault<z.ZodInt> {
  const error = `whole ${unit} from ${from} to ${to}`;
  return z.int({ error }).min(from, { error }).max(to, { error }).default(usual);
}

/** When the alarms of a deployment ring. */
export const alarmThresholds = z.strictObject({
  // Not above what tokens are guaranteed to have in normal running, or the alarm would ring there.
  tokenLifeMinutes: whole('minutes', [1, GUARANTEED_LIFE_SEC / 60], 5).describe(
    'Some token has less life left than this.',
  ),
  tokenRequestsPerTokenAndHour: whole('requests', [1, 60], 6).describe(
    'More token requests than this an hour and declared token (and than 20 in all) that no failed renewal explains.',
  ),
  missedSweeps: whole('sweeps', [1, 12], 2).describe(
    'So many sweeps in a row did not end, at six minutes each: one may come a minute late.',
  ),
  deadLetters: whole('messages', [1, 100], 3).describe('So many runs failed or could not start.'),
  rotationNoticeDays: whole('days', [1, 90], 14).describe(
    'A credential’s rotation is due within these days (credentials.maxAgeDays).',
  ),
  apiKeyNoticeDays: whole('days', [2, 90], 30).describe('An API key ends within these days.'),
  apiKeyUrgentDays: whole('days', [1, 30], 7).describe('An API key ends within these days, which notifies.'),
  restoreErrorsAtLeast: whole('answers', [1, 1000], 5).describe(
    'So many restores within 15 minutes failed with 5xx, 501 left out,',
  ),
  restoreErrorPercent: whole('percent', [1, 100], 25).describe('and they are at least this part of all.'),
  restoreOutcomesUnknown: whole('answers', [1, 1000], 5).describe(
    'So many restores within an hour of which nobody knows what became of them.',
  ),
  restoreLatencySec: whole('seconds', [1, 28], 10).describe(
    'One restore in ten takes longer than this, for 15 minutes.',
  ),
  throttles: whole('runs', [1, 1000], 1).describe(
    'So many runs in five minutes were refused for lack of concurrency, for 15 minutes. Token functions do not count.',
  ),
});
export type AlarmThresholds = z.output<typeof alarmThresholds>;

/** What holds where configuration says nothing. */
export const DEFAULT_ALARM_THRESHOLDS: AlarmThresholds = alarmThresholds.parse({});

const LOCAL_PART = "[A-Za-z0-9.!#$%&'*+=?^_`{|}~-]+";
const HOST_NAME = '[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+';
const email = z
  .string({ error: 'an e-mail address' })
  .max(254, { error: 'an e-mail address' })
  .regex(new RegExp(`^${LOCAL_PART}@${HOST_NAME}$`), { error: 'an e-mail address' });

/** The alarms of a deployment, as configuration has them. */
export const alarms = z.strictObject({
  topicArn: arn('sns', '[A-Za-z0-9_-]+')
    .optional()
    .describe(
      'Your own SNS topic instead of one of the deployment’s. Where it is encrypted, its key has to admit CloudWatch.',
    ),
  emails: z
    .array(email, { error: 'a list of e-mail addresses' })
    .refine((list) => new Set(list).size === list.length, { error: 'each e-mail address once' })
    .default([])
    .describe('Who is told by e-mail, after confirming the message that AWS sends at deployment.'),
  ...alarmThresholds.shape,
});
