import { z } from 'zod';

import { lateArn, awsName } from './arn';

/** The `logsKmsKeyArn` of a deployment's configuration. */
export const logsKmsKeyArn = lateArn('kms', 'key/[A-Za-z0-9-]+')
  .optional()
  .describe(
    'An existing KMS key for all log groups and the dead-letter queue. A synthesis says which statements its policy needs.',
  );

const PLACE = '[a-z0-9-]+:\\d{12}';
const DESTINATION = new RegExp(
  `^arn:aws[a-z-]*:(lambda:${PLACE}:function:[\\w-]+(:[\\w$-]+)?|kinesis:${PLACE}:stream/[\\w.-]+|firehose:${PLACE}:deliverystream/[\\w.-]+|logs:${PLACE}:destination:[^:*]+)$`,
);
const DESTINATION_RULE =
  'the ARN of a Lambda function, Kinesis stream, Firehose stream, or destination of CloudWatch Logs';
const ROLE_RULE = 'the ARN of a role, such as arn:aws:iam::111122223333:role/logs-to-kinesis';
const PATTERN_RULE = 'a filter pattern of at most 1024 characters';

/**
 * The `logSubscription` object of a deployment's configuration.
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutSubscriptionFilter.html
 */
export const logSubscription = z.strictObject({
  destinationArn: awsName(DESTINATION, DESTINATION_RULE).describe(
    'Receives the lines of every log group: a Lambda function, Kinesis stream or Firehose stream of the deployment’s account and region, or a destination of CloudWatch Logs in any account.',
  ),
  roleArn: awsName(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, ROLE_RULE)
    .optional()
    .describe('The role with which CloudWatch Logs writes to a stream. A function has a policy instead.'),
  filterPattern: z
    .string({ error: PATTERN_RULE })
    .max(1024, { error: PATTERN_RULE })
    .default('')
    .describe('Which lines are delivered, as a filter pattern of CloudWatch Logs. Default: all.'),
});
