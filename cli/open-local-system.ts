import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SSMClient } from '@aws-sdk/client-ssm';
import { type LocalDeployment } from '../core/deployment/local-run';
import { type DeploymentKey, deploymentKeyOf, deploymentName } from '../core/tokens/token-key';
import { shellWord } from '../core/commands/shell-word';
import { sendHttpsTrusting } from '../lambdas/shared/adapters/https-client';
import { CommandError } from './command-error';
import { noRestoreApi, parameterReader, restoreAuthOf, sendsEvents } from './deployment-parameters';
import { EXIT } from './exit-codes';
import { findLocalRun, type StateDirOptions } from './local-run';
import { type Deployment, type Laptop, type RestoreLogs, type System } from './system';

const FUNCTIONS: Partial<
  Record<Parameters<Deployment['functionArn']>[0], keyof LocalDeployment['functions']>
> = {
  'token-refresh-arn': 'tokenRefresh',
  'token-sweep-arn': 'tokenSweep',
  'restore-arn': 'restore',
  'rotate-credentials-arn': 'rotateCredentials',
  'credential-watch-arn': 'credentialWatch',
};

/**
 * The running laptop system, with an operator's permissions.
 * @throws {CommandError} unavailable, if none is running
 */
export async function openLocalSystem(
  options: StateDirOptions & { readonly interrupted: AbortSignal },
): Promise<System> {
  const { stateDir, interrupted } = options;
  const { run, ca, caFile, clockAheadMs } = await findLocalRun(options);
  const { endpoint, region } = run.aws;
  const { accessKeyId, secretAccessKey } = run.operator;
  const shared = {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: 5,
    // Without it, each client's first requests would be refused as expired, once the laptop's clock was advanced.
    systemClockOffset: clockAheadMs,
  };
  const clients = {
    secretsManager: new SecretsManagerClient(shared),
    lambda: new LambdaClient(shared),
    cloudWatch: new CloudWatchClient(shared),
    scheduler: new SchedulerClient(shared),
  };
  const ssm = new SSMClient(shared);
  return {
    deployments: run.deployments.map((deployment) => ({
      ...makeDeployment(deployment, ssm, shared, interrupted),
      ...clients,
      ssm,
    })),
    flags: stateDir === undefined ? '--local' : `--local --state-dir ${shellWord(stateDir)}`,
    sendRequest: sendHttpsTrusting(ca),
    clockAheadMs,
    laptop: { run, caFile },
  };
}

/** How to reach the laptop system that was opened. */
export function laptopOf({ laptop }: System): Laptop {
  if (laptop === undefined) throw new TypeError('the system is not the laptop’s');
  return laptop;
}

function makeDeployment(
  local: LocalDeployment,
  ssm: SSMClient,
  clientConfig: RestoreLogs['clientConfig'],
  interrupted: AbortSignal,
): DeploymentKey & Omit<Deployment, 'secretsManager' | 'lambda' | 'cloudWatch' | 'scheduler' | 'ssm'> {
  const { stack, functions, tenants, restoreApiUrl } = local;
  const prefix = stack.slice(0, -`-${deploymentName(local)}`.length);
  const named = { ...deploymentKeyOf(local), stackName: stack, prefix };
  const parameter = parameterReader(ssm, named, interrupted);
  return {
    ...named,
    configured: undefined,
    issuing: local,
    tenants: tenants.map(({ tenantId, clientCredentialsArn, apiKeyArn, tokens }) => ({
      tenantId,
      ...(apiKeyArn === undefined && { apiKey: false as const }),
      secretIds: { 'client-credentials': clientCredentialsArn, 'api-key': apiKeyArn ?? '' },
      tokens: tokens.map(({ arn, ...token }) => ({ ...token, secretId: arn })),
    })),
    sendsEvents: () => sendsEvents(parameter),
    functionArn: async (leaf) => {
      const name = FUNCTIONS[leaf];
      const arn = name === undefined ? undefined : functions[name];
      if (arn !== undefined) return arn;
      throw new CommandError(EXIT.failed, 'not_found', `${stack} has no function for ${leaf}`);
    },
    restoreApi: async () => {
      if (restoreApiUrl === undefined) throw noRestoreApi(stack);
      return { url: restoreApiUrl, auth: await restoreAuthOf(parameter) };
    },
    restoreLogs: async () => {
      if (restoreApiUrl === undefined) throw noRestoreApi(stack);
      return { logGroupName: await parameter('restore-log-group'), clientConfig };
    },
  };
}
