import { DescribeSecretCommand, type DescribeSecretCommandOutput } from '@aws-sdk/client-secrets-manager';

import { type AwsCall, callAws } from './call-aws';
import { type Deployment } from './system';

/** The labels, replicas and rotation of a secret, without its value. @throws {CommandError} */
export function describeSecret(
  deployment: AwsCall['deployment'] & Pick<Deployment, 'secretsManager'>,
  secretId: string,
  interrupted: AbortSignal,
): Promise<DescribeSecretCommandOutput> {
  const call = { action: 'secretsmanager:DescribeSecret', resource: secretId, deployment, interrupted };
  return callAws(call, (options) =>
    deployment.secretsManager.send(new DescribeSecretCommand({ SecretId: secretId }), options),
  );
}
