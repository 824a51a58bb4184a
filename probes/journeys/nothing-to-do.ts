import { type Probe, verdictOf } from '../probe';
import { type Answered, findingsOf, runJson } from '../with-latchkey';

/** Alarms of what probes did before clear within this time. */
const CLEARED_SEC = 900;
const LOOK_AGAIN_SEC = 60;

export const nothingToDo: Probe = {
  id: 'nothing-to-do',
  group: 'journeys',
  subject: '`latchkey status` and `latchkey doctor` where all is well',
  reliedOn: 'both exit with 0: no finding, no alarm, every check passes with the permissions of an operator',
  otherwise: 'nobody trusts the command, or it cannot see a part',
  needs: 'latchkey',
  async look({ latchkey, time }) {
    let last: Record<'status' | 'doctor', Answered> | undefined;
    const calm = await time.until(
      async () => {
        last = { status: await runJson(latchkey, ['status']), doctor: await runJson(latchkey, ['doctor']) };
        return Object.values(last).every(({ exitCode }) => exitCode === 0) || undefined;
      },
      { withinSec: CLEARED_SEC, everySec: LOOK_AGAIN_SEC },
    );
    const { status, doctor } = last!;
    const findings = findingsOf(doctor.document);
    return verdictOf(
      calm === true && findings.length === 0,
      `exit codes ${status.exitCode} and ${doctor.exitCode}; findings: ${findings.join(', ') || 'none'}; alarms: ${alarmsOf(status).join(', ') || 'none'}`,
    );
  },
};

function alarmsOf({ document }: Answered): string[] {
  const { deployments = [] } = document as {
    deployments?: { alarms?: { name: string; state: string }[] }[];
  };
  return deployments
    .flatMap(({ alarms = [] }) => alarms)
    .filter(({ state }) => state === 'ALARM')
    .map(({ name }) => name.slice(name.lastIndexOf('/') + 1));
}
