import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { SCHEDULED_FUNCTIONS, scheduleName } from '../core/deployment/schedules';
import { type ScheduleState } from '../core/findings/schedule-findings';
import { callAws } from './call-aws';
import { type CommandContext } from './command';
import { CommandError } from './command-error';
import { type Deployment } from './system';

/**
 * The state of a deployment's schedules. Without permission to read credential-proof, it is left out: operators have that
 * only where the deployment has this schedule.
 * @throws {CommandError}
 */
export async function readSchedules(
  context: CommandContext,
  deployment: Deployment,
): Promise<ScheduleState[]> {
  const { offers = [] } = deployment.issuing.profile;
  const hasKeys = offers.includes('api-keys');
  const scheduled = SCHEDULED_FUNCTIONS.filter((name) => hasKeys || name !== 'credential-proof');
  const states = scheduled.map(async (functionName): Promise<ScheduleState[]> => {
    const name = scheduleName(deployment.prefix, deployment, functionName);
    try {
      const { State } = await getSchedule(context, deployment, name);
      return [{ functionName, name, state: State === 'DISABLED' ? 'disabled' : 'enabled' }];
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.code === 'not_found') return [{ functionName, name, state: 'missing' }];
      if (error.code === 'access_denied' && functionName === 'credential-proof') return [];
      throw error;
    }
  });
  return (await Promise.all(states)).flat();
}

/**
 * Enables a schedule, and changes nothing else about it.
 * @throws {CommandError}
 * @see https://docs.aws.amazon.com/scheduler/latest/APIReference/API_UpdateSchedule.html (omitted fields are reset)
 */
export async function enableSchedule(
  context: CommandContext,
  deployment: Deployment,
  name: string,
): Promise<void> {
  const definition = await getSchedule(context, deployment, name);
  const { ScheduleExpression, Target, FlexibleTimeWindow } = definition;
  await callAws(callOf('UpdateSchedule', context, deployment, name), (options) =>
    deployment.scheduler.send(
      new UpdateScheduleCommand({
        // The client does not send read-only fields, such as LastModificationDate.
        ...definition,
        Name: name,
        ScheduleExpression,
        Target,
        FlexibleTimeWindow,
        State: 'ENABLED',
      }),
      options,
    ),
  );
}

function getSchedule(context: CommandContext, deployment: Deployment, name: string) {
  return callAws(callOf('GetSchedule', context, deployment, name), (options) =>
    deployment.scheduler.send(new GetScheduleCommand({ Name: name }), options),
  );
}

function callOf(operation: string, context: CommandContext, deployment: Deployment, name: string) {
  const { interrupted } = context.terminal;
  return { action: `scheduler:${operation}`, resource: `schedule/default/${name}`, deployment, interrupted };
}
