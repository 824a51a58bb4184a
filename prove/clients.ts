import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs';
import { IAMClient } from '@aws-sdk/client-iam';
import { KMSClient } from '@aws-sdk/client-kms';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient, type SecretsManagerClientConfig } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';

import { type AwsClients } from '../probes/system';

/** What all SDK clients have in common. */
export type ClientConfig = Pick<
  SecretsManagerClientConfig,
  'credentials' | 'endpoint' | 'maxAttempts' | 'profile' | 'systemClockOffset'
> & { readonly region: string };

/** SDK clients of one principal. Endpoints come from AWS's standard variables, unless the settings name one. */
export function clientsWith(config: ClientConfig): AwsClients {
  const made = new Map<string, unknown>();
  const once = <Client>(Made: new (config: ClientConfig) => Client): Client => {
    const client = made.get(Made.name) ?? new Made(config);
    made.set(Made.name, client);
    return client as Client;
  };
  return {
    get apiGateway() {
      return once(APIGatewayClient);
    },
    get cloudWatch() {
      return once(CloudWatchClient);
    },
    get iam() {
      return once(IAMClient);
    },
    get kms() {
      return once(KMSClient);
    },
    get lambda() {
      return once(LambdaClient);
    },
    get logs() {
      return once(CloudWatchLogsClient);
    },
    get scheduler() {
      return once(SchedulerClient);
    },
    get secretsManager() {
      return once(SecretsManagerClient);
    },
    get sqs() {
      return once(SQSClient);
    },
    get ssm() {
      return once(SSMClient);
    },
    get sts() {
      return once(STSClient);
    },
  };
}
