import { lateArn } from './arn';

/** The `logsKmsKeyArn` of a deployment's configuration. */
export const logsKmsKeyArn = lateArn('kms', 'key/[A-Za-z0-9-]+')
  .optional()
  .describe(
    'An existing KMS key for all log groups and the dead-letter queue. A synthesis says which statements its policy needs.',
  );
