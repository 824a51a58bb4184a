import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { type System } from './system';
import { tagsOf } from './templates';

/** Names of a metric alarm without data, and of a composite alarm that follows it. */
export const alarmNames = ({ prefix }: System) => ({
  metric: `${prefix}-silent`,
  composite: `${prefix}-silent-too`,
});

/** An alarm on a metric that nobody publishes. @param more further properties */
export const silentAlarm = (system: System, more: object = {}) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: alarmNames(system).metric,
    ...{ Namespace: 'LatchkeyProbe', MetricName: system.prefix, Statistic: 'Sum', Period: 60 },
    ...{ EvaluationPeriods: 1, Threshold: 1, ComparisonOperator: 'LessThanThreshold' },
    TreatMissingData: 'breaching',
    Tags: tagsOf(system),
    ...more,
  },
});

/** The warm-up of the alarm. */
export const WARM_UP_MIN = 5;
/** CloudWatch looks once a minute, and takes its time with a new alarm. */
const ALARM_SEC = 15 * 60;

/** How an alarm behaved that is to warm up. */
export interface WarmUp {
  /** Minutes from its creation until it went into alarm; undefined if it did not within 15 minutes. */
  readonly silentMin: number | undefined;
}

/** The stack's one alarm, which warms up. */
export const warmingUpTemplate = (system: System) => ({
  Resources: {
    Alarm: silentAlarm(system, {
      WarmUpConfiguration: { WarmUpPeriodDurationInMinutes: WARM_UP_MIN },
    }),
  },
});

/** Waits for the alarm of {@link warmingUpTemplate}. */
export async function warmUpOf(system: System): Promise<WarmUp> {
  const silentMin = await system.time.until(
    async () => {
      const AlarmNames = [alarmNames(system).metric];
      const { MetricAlarms = [] } = await system.aws.cloudWatch.send(
        new DescribeAlarmsCommand({ AlarmNames }),
      );
      const [{ StateValue, StateUpdatedTimestamp, AlarmConfigurationUpdatedTimestamp } = {}] = MetricAlarms;
      if (StateValue !== 'ALARM') return undefined;
      const silentMs = StateUpdatedTimestamp!.getTime() - AlarmConfigurationUpdatedTimestamp!.getTime();
      return Math.round(silentMs / 6_000) / 10;
    },
    { withinSec: ALARM_SEC, everySec: 30 },
  );
  return { silentMin };
}
