import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';

import { type ClientConfig, type Ports } from './ports';

/** SDK clients of one principal. Endpoints come from AWS's standard variables, unless the settings name one. */
export const clientsWith = (config: ClientConfig) => ({
  cloudWatch: new CloudWatchClient(config),
  kms: new KMSClient(config),
  lambda: new LambdaClient(config),
  logs: new CloudWatchLogsClient(config),
  scheduler: new SchedulerClient(config),
  secretsManager: new SecretsManagerClient(config),
  ssm: new SSMClient(config),
  sts: new STSClient(config),
});

export type AwsClients = ReturnType<typeof clientsWith>;

/** A new role can be assumed after some seconds. */
const NEW_ROLE_SEC = 60;
const NOT_YET = /^(AccessDenied|InvalidClientTokenId|NoSuchEntity)/;

/** Settings of clients with a role's permissions. */
export async function configOfRole({ clientConfig, time }: Ports, RoleArn: string): Promise<ClientConfig> {
  const assumed = await time.until(
    async () => {
      const { sts } = clientsWith(clientConfig());
      try {
        return await sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'latchkey-prove' }));
      } catch (error) {
        if (NOT_YET.test((error as Error).name)) return undefined;
        throw error;
      }
    },
    { withinSec: NEW_ROLE_SEC },
  );
  const { AccessKeyId, SecretAccessKey, SessionToken: sessionToken } = assumed?.Credentials ?? {};
  if (!AccessKeyId || !SecretAccessKey) throw new Error('a role of the run cannot be assumed');
  const credentials = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken };
  return { ...clientConfig(), credentials };
}
