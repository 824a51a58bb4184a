import { awsName, KEY_ARN } from './arn';

/** The value of `logsKmsKeyArn` that chooses the key of the secrets. */
export const DEPLOYMENT_KEY = 'deployment';

export const logsKmsKeyArn = awsName(
  new RegExp(`^${DEPLOYMENT_KEY}$|${KEY_ARN.form.source}`),
  `${DEPLOYMENT_KEY}, or ${KEY_ARN.error}`,
  KEY_ARN.late,
)
  .optional()
  .describe(
    'Encrypts all log groups and the dead-letter queue: the ARN of an existing KMS key, or deployment for the key of the secrets. A synthesis says which statements the policy of an existing key needs.',
  );
