import { GetScheduleCommand, UpdateScheduleCommand } from '@aws-sdk/client-scheduler';

import { scheduleName } from '../../contract/schedules';
import { type Probe, verdictOf } from '../probe';
import { findingsOf, prefixOf, runJson } from '../with-latchkey';

export const doctorFixesSchedule: Probe = {
  id: 'doctor-fixes-schedule',
  group: 'journeys',
  subject: "A token-sweep's schedule that somebody disabled",
  reliedOn:
    '`latchkey doctor` names it and exits with 1, `status` too; `doctor --fix` enables it and changes nothing else, and then both exit with 0',
  otherwise: 'tokens expire although the command says that all is well',
  needs: 'latchkey',
  async look({ aws, latchkey }) {
    const { scheduler } = aws;
    const Name = scheduleName(prefixOf(latchkey), latchkey, 'token-sweep');
    const get = () => scheduler.send(new GetScheduleCommand({ Name }));
    const { FlexibleTimeWindow, ScheduleExpression, Target, ...before } = await get();
    const { Description, ScheduleExpressionTimezone, GroupName } = before;
    const set = (State: 'ENABLED' | 'DISABLED') =>
      scheduler.send(
        new UpdateScheduleCommand({
          ...{ Name, GroupName, State, FlexibleTimeWindow, ScheduleExpression, Target },
          ...{ Description, ScheduleExpressionTimezone },
        }),
      );
    try {
      await set('DISABLED');
      const found = [await runJson(latchkey, ['doctor']), await runJson(latchkey, ['status'])];
      const fixed = await runJson(latchkey, ['doctor', '--fix', '--yes']);
      const { State, ScheduleExpression: expression, Target: target } = await get();
      const isSame = expression === ScheduleExpression && JSON.stringify(target) === JSON.stringify(Target);
      const after = await runJson(latchkey, ['doctor']);
      return verdictOf(
        found.every(
          ({ exitCode, document }) => exitCode === 1 && findingsOf(document).includes('schedule_disabled'),
        ) &&
          fixed.exitCode === 0 &&
          State === 'ENABLED' &&
          isSame &&
          after.exitCode === 0,
        [
          `doctor found ${findingsOf(found[0]!.document).join(', ') || 'nothing'}`,
          `exit codes ${[...found, fixed, after].map(({ exitCode }) => exitCode).join(', ')}`,
          `schedule ${String(State)}, ${isSame ? 'otherwise unchanged' : 'changed otherwise'}`,
        ].join('; '),
      );
    } finally {
      await set('ENABLED');
    }
  },
};
