import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { type System } from './system';
import { tagsOf } from './templates';

const LOOK_AGAIN_SEC = 30;

/** A metric of which nobody sends values. */
export const silentMetric = ({ prefix }: System) => ({ Namespace: prefix, MetricName: 'Nothing' });

/** An alarm of a probe, whose name begins with its prefix. It compares each minute with the threshold 0. */
export const alarm = (system: System, name: string, properties: object) => ({
  Type: 'AWS::CloudWatch::Alarm',
  Properties: {
    AlarmName: alarmName(system, name),
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    ...{ Threshold: 0, EvaluationPeriods: 1 },
    Tags: tagsOf(system),
    ...properties,
  },
});

export const alarmName = ({ prefix }: System, name: string) => `${prefix}/${name}`;

/** An alarm's state; undefined if there is no such alarm. */
export async function stateOf({ aws }: System, name: string): Promise<string | undefined> {
  const { MetricAlarms: [found] = [] } = await aws.cloudWatch.send(
    new DescribeAlarmsCommand({ AlarmNames: [name] }),
  );
  return found?.StateValue;
}

/** Waits for a state of an alarm. @returns after how many minutes; undefined if it did not come in time */
export async function minutesUntil(
  system: System,
  name: string,
  state: string,
  withinSec: number,
): Promise<number | undefined> {
  const { time } = system;
  const begun = (await time.now()).getTime();
  const isThere = await time.until(async () => ((await stateOf(system, name)) === state ? true : undefined), {
    withinSec,
    everySec: LOOK_AGAIN_SEC,
  });
  return isThere && Math.ceil(((await time.now()).getTime() - begun) / 60_000);
}

/** How long something took, as text. */
export const afterMinutes = (minutes: number | undefined) =>
  minutes === undefined ? 'never' : `after ${minutes} min`;

/** An alarm on runs of a function, at least one in a period. */
export const runs = (functionName: unknown, Period: number) => ({
  ...{ Namespace: 'AWS/Lambda', MetricName: 'Invocations', Statistic: 'Sum', Period, Threshold: 1 },
  Dimensions: [{ Name: 'FunctionName', Value: functionName }],
  TreatMissingData: 'notBreaching',
});
