import { type SSMClient } from '@aws-sdk/client-ssm';

import { CommandError } from '../../../cli/command-error';
import { type ExitCode } from '../../../cli/exit-codes';
import { type Deployment, type System } from '../../../cli/system';
import { tenantsIn } from '../../../cli/tenants-in';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { deploymentKeyOf } from '../../../core/tokens/token-key';
import { deploymentStackName } from '../../../core/deployment/stack-names';
import { OperatedSystem } from './operated-system';

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
  const operated = new OperatedSystem();
  operated.more = {
    prefix: file.prefix,
    secretsManager,
    functionArn,
    issuing: file,
    configured: isConfigured ? file : undefined,
    stackName: deploymentStackName(file.prefix, file),
    tenants: tenantsIn(file),
    lambda: { send: invoke },
    ssm,
  };
  return { ...operated.system([deploymentKeyOf(file)]), flags, sendRequest };
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
