import { CloudWatchClient, DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';
import { GetScheduleCommand, SchedulerClient, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { DEPLOYMENT_ALARMS } from '../../../core/alarms/alarm-rows';
import { alarmNamePrefix } from '../../../core/alarms/alarms';
import { type AccessKey } from '../../../core/deployment/local-run';
import { scheduleName, type ScheduledFunction } from '../../../core/deployment/schedules';
import { DEFAULT_PREFIX } from '../../../core/secrets/secret-names';
import { type Place } from './journeys';

const clientOptions = ({ system }: Place, credentials: AccessKey) => {
  const { endpoint, region } = system.run.aws;
  return { endpoint, region, credentials, maxAttempts: 2 };
};

/** Reads the deployment's alarms as an operator. */
export async function readAlarms(place: Place): Promise<void> {
  const cloudWatch = new CloudWatchClient(clientOptions(place, place.system.run.operator));
  const { MetricAlarms = [], CompositeAlarms = [] } = await cloudWatch.send(
    new DescribeAlarmsCommand({
      AlarmNamePrefix: alarmNamePrefix(DEFAULT_PREFIX, place.deployment),
      AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
    }),
  );
  const seen = MetricAlarms.length + CompositeAlarms.length;
  if (seen < DEPLOYMENT_ALARMS.length) throw new Error(`an operator sees ${seen} alarms`);
}

/** Disables a schedule and enables it again, as an operator. */
export async function restartSchedule(place: Place, scheduled: ScheduledFunction): Promise<void> {
  for (const state of ['DISABLED', 'ENABLED'] as const) await setSchedule(place, scheduled, state);
}

/** Disables or enables a schedule without other changes. */
export async function setSchedule(
  place: Place,
  scheduled: ScheduledFunction,
  state: 'DISABLED' | 'ENABLED',
  credentials: AccessKey = place.system.run.operator,
): Promise<void> {
  const scheduler = new SchedulerClient(clientOptions(place, credentials));
  const Name = scheduleName(DEFAULT_PREFIX, place.deployment, scheduled);
  const { ScheduleExpression, FlexibleTimeWindow, Target } = await scheduler.send(
    new GetScheduleCommand({ Name }),
  );
  await scheduler.send(
    new UpdateScheduleCommand({ Name, ScheduleExpression, FlexibleTimeWindow, Target, State: state }),
  );
  const { State } = await scheduler.send(new GetScheduleCommand({ Name }));
  if (State !== state) throw new Error(`the schedule is ${State}`);
}
