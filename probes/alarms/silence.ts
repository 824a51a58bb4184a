import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { deploymentAlarmName } from '../../contract/alarms';
import { scheduleName } from '../../contract/schedules';
import { afterMinutes, minutesUntil } from '../alarm';
import { type Probe, verdictOf } from '../probe';
import { prefixOf } from '../with-latchkey';

/** The warm-up of the alarm of a new stack, in which it does not go into alarm. */
const WARM_UP_SEC = 1200;
/** AWS may look back further than documented. */
const WITHIN_SEC = 3600;
const CLEARED_SEC = 1200;
/** 14 minutes after the last sweep, and some until CloudWatch has evaluated. */
const MOST_MIN = 17;

export const silence: Probe = {
  id: 'silence',
  group: 'alarms',
  subject: 'How far an alarm looks back if data is missing',
  reliedOn:
    'two periods beyond its evaluation periods, or not beyond: without sweeps, `sweep-silent` is in alarm after 12 or 14 minutes, and OK soon after the next one',
  otherwise: '`sweep-silent` and `watch-silent` notify later, if AWS looks back further',
  sources: [
    'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html',
    'https://github.com/awsdocs/amazon-cloudwatch-user-guide/issues/102',
  ],
  needs: 'latchkey',
  slow: true,
  async look(system) {
    const { latchkey, aws } = system;
    const Name = scheduleName(prefixOf(latchkey), latchkey, 'token-sweep');
    const schedule = await aws.scheduler.send(new GetScheduleCommand({ Name }));
    const { FlexibleTimeWindow, ScheduleExpression, Target, ...others } = schedule;
    const set = (State: 'ENABLED' | 'DISABLED') =>
      system.aws.scheduler.send(
        new UpdateScheduleCommand({
          ...{ Name, State, FlexibleTimeWindow, ScheduleExpression, Target },
          ...{
            Description: others.Description,
            ScheduleExpressionTimezone: others.ScheduleExpressionTimezone,
          },
        }),
      );
    const alarm = deploymentAlarmName(prefixOf(latchkey), latchkey, 'sweep-silent');
    await system.time.pass(WARM_UP_SEC);
    let alarmed: number | undefined;
    try {
      await set('DISABLED');
      alarmed = await minutesUntil(system, alarm, 'ALARM', WITHIN_SEC);
    } finally {
      await set('ENABLED');
    }
    const cleared = await minutesUntil(system, alarm, 'OK', CLEARED_SEC);
    return verdictOf(
      alarmed !== undefined && alarmed <= MOST_MIN && cleared !== undefined,
      `in alarm ${afterMinutes(alarmed)} without sweeps; OK ${afterMinutes(cleared)} with them`,
    );
  },
};
