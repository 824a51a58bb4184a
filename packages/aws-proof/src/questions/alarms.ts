import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { deploymentAlarmName, tenantAlarmName } from '../../../../core/alarms/alarms';
import { type ProvenRun } from '../proven-run';
import { answer, type Question } from '../question';
import { switchSweep } from './main-job';

const GUIDE = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring';
const LOOK_AGAIN_SEC = 30;

/** Waits for a state of an alarm. @returns after how many minutes; undefined if it did not come in time */
async function minutesUntil(
  run: ProvenRun,
  name: string,
  state: string,
  withinSec: number,
): Promise<number | undefined> {
  const begun = (await run.time.now()).getTime();
  const look = async () => {
    const command = new DescribeAlarmsCommand({ AlarmNames: [name] });
    const { MetricAlarms: [alarm] = [] } = await run.aws.cloudWatch.send(command);
    return alarm?.StateValue === state || undefined;
  };
  const isThere = await run.time.until(look, { withinSec, everySec: LOOK_AGAIN_SEC });
  return isThere && Math.ceil(((await run.time.now()).getTime() - begun) / 60_000);
}

const after = (minutes: number | undefined) => (minutes === undefined ? 'never' : `after ${minutes} min`);

/** A token is renewed less than an hour after it was requested; the sweep and the alarm can each be some minutes late. */
const RENEWED_SEC = 4500;
/** The next sweep renews; the alarm looks back ten minutes. */
const CLEARED_SEC = 1800;

const credentialRefused: Question = {
  id: 'alarm',
  subject: 'The alarm of a tenant whose credential the platform refuses',
  reliedOn:
    'in alarm once a renewal is refused, at most 75 minutes later, and OK again at most 30 minutes after the platform accepts it',
  promise: 'somebody learns of a refused credential before its tokens expire, and of its end',
  otherwise: 'nobody learns that tokens are no longer renewed, or the alarm never ends',
  pages: [`${GUIDE}/alarm-evaluation.html`],
  slow: true,
  async ask(run) {
    const { key } = run.tenants[0]!;
    const name = tenantAlarmName(run.prefix, key, 'credential-refused');
    const fault = { target: 'token', match: key, status: 401, body: { error: 'invalid_client' } };
    await run.sandbox('POST', '/faults', fault);
    const alarmed = await minutesUntil(run, name, 'ALARM', RENEWED_SEC).finally(() =>
      run.sandbox('DELETE', '/faults'),
    );
    const cleared = await minutesUntil(run, name, 'OK', CLEARED_SEC);
    return answer(
      alarmed !== undefined && cleared !== undefined,
      `in alarm ${after(alarmed)}; OK again ${after(cleared)}`,
    );
  },
};

/** The warm-up of the alarm of a new stack, in which it does not go into alarm. */
const WARM_UP_SEC = 1200;
/** AWS may look back further than documented. */
const WITHIN_SEC = 3600;
/** 14 minutes after the last sweep, and some until CloudWatch has evaluated. */
const MAX_SILENCE_MIN = 17;

const silence: Question = {
  id: 'silence',
  subject: 'How far an alarm looks back if data is missing',
  reliedOn:
    'two periods beyond its evaluation periods, or not beyond: without sweeps, `sweep-silent` is in alarm after 12 or 14 minutes, and OK soon after the next one',
  promise: 'somebody learns that tokens are no longer renewed before they expire',
  otherwise: '`sweep-silent` and `watch-silent` notify later',
  pages: [
    `${GUIDE}/alarms-and-missing-data.html`,
    'https://github.com/awsdocs/amazon-cloudwatch-user-guide/issues/102',
  ],
  slow: true,
  async ask(run) {
    const name = deploymentAlarmName(run.prefix, run.deployment, 'sweep-silent');
    await run.time.pass(WARM_UP_SEC);
    await switchSweep(run, 'DISABLED');
    const alarmed = await minutesUntil(run, name, 'ALARM', WITHIN_SEC).finally(() =>
      switchSweep(run, 'ENABLED'),
    );
    const cleared = await minutesUntil(run, name, 'OK', WARM_UP_SEC);
    return answer(
      alarmed !== undefined && alarmed <= MAX_SILENCE_MIN && cleared !== undefined,
      `in alarm ${after(alarmed)} without sweeps; OK ${after(cleared)} with them`,
    );
  },
};

export const ALARM_QUESTIONS = [credentialRefused, silence];
