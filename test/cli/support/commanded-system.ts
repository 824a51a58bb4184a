import { type CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { type LambdaClient } from '@aws-sdk/client-lambda';
import { type SchedulerClient } from '@aws-sdk/client-scheduler';
import { type SSMClient } from '@aws-sdk/client-ssm';

import { CommandError } from '../../../cli/command-error';
import { type ExitCode } from '../../../cli/exit-codes';
import { type Deployment, type System } from '../../../cli/system';
import { tenantsIn } from '../../../cli/tenants-in';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentKeyOf } from '../../../core/tokens/token-key';
import { deploymentStackName } from '../../../core/deployment/stack-names';
import { InMemoryAlarms, InMemorySchedules } from './in-memory-monitoring';

/** How an operator's commands reach a deployment. */
export interface CommandWays {
  secretsManager: Deployment['secretsManager'];
  sendRequest: System['sendRequest'];
  /** Replaces the SDK's Lambda client. */
  invoke: unknown;
  functionArn: Deployment['functionArn'];
  /** Whether there is a configuration. */
  isConfigured: boolean;
  /** @default one that answers nothing */
  ssm?: SSMClient;
  /** Flags that select the system. @default none */
  flags?: string;
}

/** A system with one deployment. */
export function commandedSystem(
  file: DeploymentFile,
  {
    secretsManager,
    sendRequest,
    invoke,
    functionArn,
    isConfigured,
    flags = '',
    ssm = {} as SSMClient,
  }: CommandWays,
): System {
  const { prefix } = file;
  const deployment: Deployment = {
    ...deploymentKeyOf(file),
    prefix,
    secretsManager,
    functionArn,
    issuing: file,
    configured: isConfigured ? file : undefined,
    stackName: deploymentStackName(prefix, file),
    tenants: tenantsIn(file),
    lambda: { send: invoke } as unknown as LambdaClient,
    cloudWatch: new InMemoryAlarms() as unknown as CloudWatchClient,
    scheduler: new InMemorySchedules() as unknown as SchedulerClient,
    ssm,
    restoreApi: () => Promise.reject(new Error('no restore is expected')),
    restoreLogs: () => Promise.reject(new Error('no history is expected')),
  };
  return { deployments: [deployment], flags, sendRequest };
}

/** How a command ends: `done`, its failure's code, or otherwise its exit code. */
export async function endOf(command: Promise<ExitCode>): Promise<string> {
  try {
    const exit = await command;
    return exit === 0 ? 'done' : `exit ${exit}`;
  } catch (error) {
    if (error instanceof CommandError) return error.code;
    throw error;
  }
}
