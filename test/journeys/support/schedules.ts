import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { scheduleName, type ScheduledFunction } from '../../../core/deployment/schedules';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type Place } from './journeys';

/** Disables or enables a schedule without other changes, as an operator. */
export async function setSchedule(
  { system, deployment }: Place,
  scheduled: ScheduledFunction,
  state: 'DISABLED' | 'ENABLED',
): Promise<void> {
  const { endpoint, region } = system.run.aws;
  const credentials = system.run.operator;
  const scheduler = new SchedulerClient({ endpoint, region, credentials, maxAttempts: 2 });
  const Name = scheduleName(DEFAULT_PREFIX, deployment, scheduled);
  const { ScheduleExpression, FlexibleTimeWindow, Target } = await scheduler.send(
    new GetScheduleCommand({ Name }),
  );
  await scheduler.send(
    new UpdateScheduleCommand({ Name, ScheduleExpression, FlexibleTimeWindow, Target, State: state }),
  );
  const { State } = await scheduler.send(new GetScheduleCommand({ Name }));
  if (State !== state) throw new Error(`the schedule is ${State}`);
}
