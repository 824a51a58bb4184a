import { awsName } from './arn';

/** In place of an ARN: the key of the secrets. */
export const DEPLOYMENT_KEY = 'deployment';

/** The `logsKmsKeyArn` of a deployment's configuration. */
export const logsKmsKeyArn = awsName(
  new RegExp(`^(${DEPLOYMENT_KEY}|arn:aws[a-z-]*:kms:[a-z0-9-]+:\\d{12}:key/[A-Za-z0-9-]+)$`),
  `${DEPLOYMENT_KEY}, or the full ARN of a kms resource, such as arn:aws:kms:eu-west-1:111122223333:…`,
)
  .optional()
  .describe(
    'Encrypts all log groups and the dead-letter queue: the ARN of an existing KMS key, or deployment for the key of the secrets. A synthesis says which statements the policy of an existing key needs.',
  );
