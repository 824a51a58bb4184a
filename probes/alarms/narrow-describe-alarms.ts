import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { differs, type Probe, verdictOf } from '../probe';
import { alarmNames, silentAlarm } from '../silent-alarm';
import { allow, arnOf, outputs, role, tagsOf, withStack } from '../templates';

/** How long a new role may have no permission. */
const NEW_ROLE_SEC = 60;

export const narrowDescribeAlarms: Probe = {
  id: 'narrow-describe-alarms',
  group: 'alarms',
  subject: '`cloudwatch:DescribeAlarms` with a narrower resource than `*`',
  reliedOn: 'composite alarms are missing from the result, so the operator policy names `*`',
  otherwise: 'one right too many',
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html'],
  look: (system) => {
    const names = alarmNames(system);
    const alarms = { 'Fn::Sub': 'arn:${AWS::Partition}:cloudwatch:${AWS::Region}:${AWS::AccountId}:alarm:*' };
    const template = {
      Resources: {
        Alarm: silentAlarm(system),
        Composite: {
          Type: 'AWS::CloudWatch::CompositeAlarm',
          DependsOn: 'Alarm',
          Properties: {
            AlarmName: names.composite,
            AlarmRule: `ALARM("${names.metric}")`,
            Tags: tagsOf(system),
          },
        },
        Reader: role(system, undefined, [allow(['cloudwatch:DescribeAlarms'], alarms)]),
      },
      Outputs: outputs({ ReaderArn: arnOf('Reader') }),
    };
    return withStack(system, template, async ({ ReaderArn = '' }) => {
      const { cloudWatch } = await system.as(ReaderArn);
      const found = await system.time.until(
        async () => {
          try {
            return await cloudWatch.send(
              new DescribeAlarmsCommand({
                AlarmNames: [names.metric, names.composite],
                AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
              }),
            );
          } catch (error) {
            if (/^AccessDenied/.test((error as Error).name)) return undefined;
            throw error;
          }
        },
        { withinSec: NEW_ROLE_SEC },
      );
      if (found === undefined) return differs('the role may not describe alarms at all');
      const { MetricAlarms = [], CompositeAlarms = [] } = found;
      return verdictOf(
        CompositeAlarms.length === 0,
        `with a right on all alarms by their ARN: ${MetricAlarms.length} metric and ${CompositeAlarms.length} composite alarms`,
      );
    });
  },
};
