import { InvokeCommand } from '@aws-sdk/client-lambda';

import { afterMinutes, alarm, alarmName, minutesUntil, runs } from '../alarm';
import { plainFunction } from '../plain-function';
import { type Probe, verdictOf } from '../probe';
import { arnOf, outputs, withStack } from '../templates';

const HOUR_SEC = 3600;
/** The metric arrives within some minutes. */
const MOST_SEC = HOUR_SEC + 300;

export const hourlyAlarm: Probe = {
  id: 'hourly-alarm',
  group: 'alarms',
  subject: 'Alarms with a period of an hour or longer',
  reliedOn: 'evaluated at least every hour: in alarm within 65 minutes of the value',
  otherwise: 'they notify, or clear, up to an hour later',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation.html'],
  slow: true,
  look: (system) => {
    const template = {
      Resources: {
        ...plainFunction(system, 'exports.handler = async () => {};'),
        Alarm: alarm(system, 'hourly', runs({ Ref: 'Function' }, HOUR_SEC)),
      },
      Outputs: outputs({ FunctionArn: arnOf('Function') }),
    };
    return withStack(system, template, async ({ FunctionArn: FunctionName }) => {
      const name = alarmName(system, 'hourly');
      const first = await minutesUntil(system, name, 'OK', MOST_SEC);
      await system.aws.lambda.send(new InvokeCommand({ FunctionName }));
      const alarmed = await minutesUntil(system, name, 'ALARM', 2 * HOUR_SEC);
      return verdictOf(
        first !== undefined && alarmed !== undefined && alarmed <= MOST_SEC / 60,
        `OK ${afterMinutes(first)}; in alarm ${afterMinutes(alarmed)} of the value`,
      );
    });
  },
};
