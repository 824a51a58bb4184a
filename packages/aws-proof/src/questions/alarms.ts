import { DescribeAlarmsCommand } from '@aws-sdk/client-cloudwatch';

import { deploymentAlarmName, tenantAlarmName } from '../../../../core/alarms/alarms';
import { type ProvenRun } from '../proven-run';
import { compare, type Question } from '../question';

const GUIDE = 'https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring';
const POLL_INTERVAL_SEC = 30;
const IN_TIME = /^after/;

/** Waits for a state of an alarm. @returns such as `after 12 min`; `never` if it did not come in time */
async function timeUntilState(
  run: ProvenRun,
  name: string,
  state: string,
  withinSec: number,
): Promise<string> {
  const begun = (await run.time.now()).getTime();
  const look = async () => {
    const command = new DescribeAlarmsCommand({ AlarmNames: [name] });
    const { MetricAlarms: [alarm] = [] } = await run.aws.cloudWatch.send(command);
    return alarm?.StateValue ?? 'missing';
  };
  if ((await run.settle(look, state, { withinSec, everySec: POLL_INTERVAL_SEC })) !== state) return 'never';
  return `after ${Math.ceil(((await run.time.now()).getTime() - begun) / 60_000)} min`;
}

/** A token is renewed less than an hour after it was requested; the sweep and the alarm can each be some minutes late. */
const RENEWED_SEC = 4500;
/** The next sweep renews; the alarm looks back ten minutes. */
const CLEARED_SEC = 1800;

/** How long the alarm of a new stack cannot go into alarm. */
const WARM_UP_SEC = 1200;
/** Long enough even if AWS looks back further than documented. */
const SILENT_SEC = 3600;
const SWEEP_SEEN_SEC = 1200;
/** At most 17 min: 14 after the last sweep, and some until CloudWatch has evaluated. */
const SILENCE = /^after (\d|1[0-7]) min$/;

export const ALARM_QUESTIONS: readonly Question[] = [
  {
    id: 'alarm',
    subject: 'The alarm of a tenant whose credential the platform refuses',
    reliedOn:
      'in alarm once a renewal is refused, at most 75 minutes later, and OK again at most 30 minutes after the platform accepts it',
    promise:
      'somebody learns that a credential is refused before its tokens expire, and when it is accepted again',
    pages: [`${GUIDE}/alarm-evaluation.html`],
    slow: true,
    async ask(run) {
      const { key } = run.tenants[0]!;
      const name = tenantAlarmName(run.prefix, key, 'credential-refused');
      const fault = { target: 'token', match: key, status: 401, body: { error: 'invalid_client' } };
      await run.sandbox('POST', '/faults', fault);
      const alarmed = await timeUntilState(run, name, 'ALARM', RENEWED_SEC).finally(() =>
        run.sandbox('DELETE', '/faults'),
      );
      return compare({
        'in alarm': [alarmed, IN_TIME],
        'OK again': [await timeUntilState(run, name, 'OK', CLEARED_SEC), IN_TIME],
      });
    },
  },
  {
    id: 'silence',
    subject: 'How far an alarm looks back if data is missing',
    reliedOn:
      'by its evaluation periods, or by two periods more: without sweeps, `sweep-silent` is in alarm after 12 or 14 minutes, and OK soon after the next sweep',
    promise: 'somebody learns that tokens are no longer renewed before they expire',
    pages: [
      `${GUIDE}/alarms-and-missing-data.html`,
      'https://github.com/awsdocs/amazon-cloudwatch-user-guide/issues/102',
    ],
    slow: true,
    async ask(run) {
      const name = deploymentAlarmName(run.prefix, run.deployment, 'sweep-silent');
      await run.time.pass(WARM_UP_SEC);
      await run.switchSweep('DISABLED');
      const alarmed = await timeUntilState(run, name, 'ALARM', SILENT_SEC).finally(() =>
        run.switchSweep('ENABLED'),
      );
      return compare({
        'in alarm without sweeps': [alarmed, SILENCE],
        'OK with them': [await timeUntilState(run, name, 'OK', SWEEP_SEEN_SEC), IN_TIME],
      });
    },
  },
];
