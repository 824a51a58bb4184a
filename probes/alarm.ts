import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { type System } from './system';

const LOOK_AGAIN_SEC = 30;

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
