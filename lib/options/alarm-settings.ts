import { z } from 'zod';

import { ALARM_THRESHOLDS, type AlarmThreshold, type AlarmThresholds } from '../../core/alarms/alarm-rows';
import { lateArn, lateKeyArn } from './arn';

function threshold({ unit, min, max, default: defaultValue, text }: AlarmThreshold): z.ZodDefault<z.ZodInt> {
  const error = `whole ${unit} from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).default(defaultValue).describe(text);
}

const thresholds = Object.fromEntries(
  Object.entries(ALARM_THRESHOLDS).map(([name, row]) => [name, threshold(row)]),
) as Record<keyof AlarmThresholds, z.ZodDefault<z.ZodInt>>;

const LOCAL_PART = "[A-Za-z0-9.!#$%&'*+=?^_`{|}~-]+";
const HOST_NAME = '[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+';
const email = z
  .string({ error: 'an e-mail address' })
  .max(254, { error: 'an e-mail address' })
  .regex(new RegExp(`^${LOCAL_PART}@${HOST_NAME}$`), { error: 'an e-mail address' });

export const alarms = z.strictObject({
  topicArn: lateArn('sns', '', '[A-Za-z0-9_-]+')
    .optional()
    .describe(
      'Your own SNS topic instead of a new one. If it is encrypted, its key policy must allow CloudWatch.',
    ),
  topicKmsKeyArn: lateKeyArn()
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
  ...thresholds,
});
