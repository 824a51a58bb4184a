import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { alarm, alarmName, silentMetric } from '../alarm';
import { notRun, type Probe, verdictOf } from '../probe';
import { allow, arnOf, outputs, role, tagsOf, withStack } from '../templates';

/** A new policy is in force after some seconds. */
const IN_FORCE_SEC = 60;

export const alarmsByName: Probe = {
  id: 'alarms-by-name',
  group: 'alarms',
  subject: '`cloudwatch:DescribeAlarms` with a narrower resource than `*`',
  reliedOn: 'composite alarms are missing from the result, or it is denied: operators are allowed `*`',
  otherwise: "the operator's permission could be narrower",
  sources: ['https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_DescribeAlarms.html'],
  look: (system) => {
    const pattern = {
      'Fn::Sub': `arn:\${AWS::Partition}:cloudwatch:\${AWS::Region}:\${AWS::AccountId}:alarm:*`,
    };
    const template = {
      Resources: {
        Metric: alarm(system, 'metric', { ...silentMetric(system), Statistic: 'Sum', Period: 60 }),
        Composite: {
          Type: 'AWS::CloudWatch::CompositeAlarm',
          DependsOn: 'Metric',
          Properties: {
            AlarmName: alarmName(system, 'composite'),
            AlarmRule: `ALARM("${alarmName(system, 'metric')}")`,
            Tags: tagsOf(system),
          },
        },
        Narrow: role(system, undefined, [allow(['cloudwatch:DescribeAlarms'], pattern)]),
        Wide: role(system, undefined, [allow(['cloudwatch:DescribeAlarms'], '*')]),
      },
      Outputs: outputs({ Narrow: arnOf('Narrow'), Wide: arnOf('Wide') }),
    };
    return withStack(system, template, async ({ Narrow = '', Wide = '' }) => {
      const seenBy = async (roleArn: string) => {
        const { cloudWatch } = await system.as(roleArn);
        const found = await cloudWatch
          .send(
            new DescribeAlarmsCommand({
              AlarmNamePrefix: `${system.prefix}/`,
              AlarmTypes: ['MetricAlarm', 'CompositeAlarm'],
            }),
          )
          .catch((error: Error) => {
            if (/AccessDenied/.test(error.name)) return undefined;
            throw error;
          });
        return (
          found && { metric: found.MetricAlarms?.length ?? 0, composite: found.CompositeAlarms?.length ?? 0 }
        );
      };
      const wide = await system.time.until(() => seenBy(Wide), { withinSec: IN_FORCE_SEC });
      if (wide?.composite !== 1) return notRun('the composite alarm is not visible with `*` either');
      // Both policies are of the same age.
      const narrow = await seenBy(Narrow);
      return verdictOf(
        (narrow?.composite ?? 0) === 0,
        narrow === undefined
          ? 'denied'
          : `metric alarms: ${narrow.metric}, composite alarms: ${narrow.composite} of 1`,
      );
    });
  },
};
