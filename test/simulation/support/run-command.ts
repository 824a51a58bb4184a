import { type MetricAlarm } from '@aws-sdk/client-cloudwatch';

import { type CommandContext } from '../../../cli/command';
import { CommandError } from '../../../cli/command-error';
import { type ExitCode } from '../../../cli/exit-codes';
import { tenantsIn } from '../../../cli/tenants-in';
import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { type ParameterLeaf } from '../../../core/deployment/parameter-names';
import { deploymentStackName } from '../../../core/deployment/stack-names';
import { deploymentKeyOf } from '../../../core/tokens/token-key';
import { type FakeTerminal } from '../../cli/support/fake-terminal';
import { OperatedSystem } from '../../cli/support/operated-system';
import { clientOf } from '../../support/aws/simulated-secrets-manager';
import { KillPoints } from '../../support/kill-points';
import { type DrivenTime } from '../../support/live/driven-time';
import { type LiveFunctions } from '../../support/live/live-functions';
import { sendTo } from '../../support/live/programs';
import { type Outside } from '../../support/live/token-process';

/** A site administrator's session, as `api-key generate` reads it. */
export const SESSION = JSON.stringify({
  authorization: 'Bearer administrator',
  correlationId: '6c6b5ee5-9e8d-4ae4-9d1c-21b1c3b1a111',
});

export type Command<Flags> = (context: CommandContext, flags: Flags) => Promise<ExitCode>;

interface Operated {
  deployment: DeploymentFile;
  time: DrivenTime;
  functions: LiveFunctions;
  outside: Outside;
  arnOf: (leaf: ParameterLeaf) => string;
  /** @default none */
  alarmStates?(): MetricAlarm[];
}

/**
 * Runs a command until it ends or is killed.
 * @returns `done`, the error code, the exit code of a failure without one, or `killed`
 */
export function runCommand<Flags>(
  operated: Operated,
  command: Command<Flags>,
  flags: Flags,
  terminal: FakeTerminal,
  points = new KillPoints(),
): Promise<string> {
  const { deployment, time, functions, outside, arnOf } = operated;
  const { send, sendRequest } = points.watch(outside, 'send', 'sendRequest');
  const { send: invoke } = points.watch({ send: sendTo(functions) }, 'send');
  const { sleep } = points.watch({ sleep: (ms: number) => time.sleep(ms) }, 'sleep');
  const key = deploymentKeyOf(deployment);
  const inDeployment = new OperatedSystem();
  inDeployment.more = {
    prefix: deployment.prefix,
    stackName: deploymentStackName(deployment.prefix, key),
    configured: deployment,
    issuing: deployment,
    tenants: tenantsIn(deployment),
    secretsManager: clientOf(send),
    lambda: { send: invoke },
    functionArn: async (leaf: ParameterLeaf) => arnOf(leaf),
    cloudWatch: { send: async () => ({ MetricAlarms: operated.alarmStates?.() ?? [] }) },
    // The schedules are not disabled.
    scheduler: { send: async () => ({ State: 'ENABLED' }) },
  };
  const system = { ...inDeployment.system([key]), flags: '', sendRequest };
  const context = { terminal, system: async () => system, nowMs: () => time.nowMs(), sleep };
  return time.until(Promise.race([endOf(command(context, flags)), points.killed.then(() => 'killed')]));
}

/** How a command ends: `done`, its failure's code, or otherwise its exit code. */
async function endOf(command: Promise<ExitCode>): Promise<string> {
  try {
    const exit = await command;
    return exit === 0 ? 'done' : `exit ${exit}`;
  } catch (error) {
    if (error instanceof CommandError) return error.code;
    throw error;
  }
}
