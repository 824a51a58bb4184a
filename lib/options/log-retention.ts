import { z } from 'zod';

/** @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html */
const LOG_RETENTION_DAYS = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
] as const;

export const logRetentionDays = z.literal(LOG_RETENTION_DAYS, { error: LOG_RETENTION_DAYS.join(', ') });
