import { isInAlarm } from './alarm-lines';
import { type ChosenDeployment } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, errorDocument } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import {
  inspectDeployments,
  type Inspection,
  inspectionExitCode,
  inspectionsDocument,
} from './inspect-deployments';
import { type Alarm, readAlarms } from './read-alarms';
import { type System } from './system';

/** What status shows for one deployment. */
export type StatusInspection = Inspection & AlarmsRead;

interface AlarmsRead {
  readonly alarms: readonly Alarm[];
  /** Why the alarms could not be read. */
  readonly alarmsFailure?: CommandError;
}

/** Inspects deployments and reads their alarms in parallel; a failure of one does not hide the others. */
export async function inspectForStatus(
  context: CommandContext,
  system: System,
  deployments: ChosenDeployment[],
): Promise<StatusInspection[]> {
  const [inspections, alarms] = await Promise.all([
    inspectDeployments(context, system, deployments),
    Promise.all(deployments.map((chosen) => alarmsOf(context, system, chosen))),
  ]);
  return inspections.map((inspection, index) => ({ ...inspection, ...alarms[index]! }));
}

async function alarmsOf(
  context: CommandContext,
  { flags }: System,
  chosen: ChosenDeployment,
): Promise<AlarmsRead> {
  try {
    return { alarms: await readAlarms(context, chosen, flags) };
  } catch (error) {
    if (!(error instanceof CommandError) || error.code === 'interrupted') throw error;
    return { alarms: [], alarmsFailure: error };
  }
}

/** Not 0 if something needs attention, for example an alarm, or could not be inspected. */
export function statusExitCode(inspections: readonly StatusInspection[]): ExitCode {
  const codes = inspections.map(({ alarms, alarmsFailure }): ExitCode => {
    return alarmsFailure?.exitCode ?? (alarms.some(isInAlarm) ? EXIT.failed : EXIT.done);
  });
  return Math.max(inspectionExitCode(inspections), ...codes) as ExitCode;
}

/** What `--json` prints. */
export function statusDocument(inspections: readonly StatusInspection[]): object {
  const { deployments, ...rest } = inspectionsDocument(inspections);
  return {
    deployments: deployments.map((deployment, index) => {
      const { alarms, alarmsFailure } = inspections[index]!;
      return alarmsFailure === undefined
        ? { ...deployment, alarms }
        : { ...deployment, alarmsError: errorDocument(alarmsFailure) };
    }),
    ...rest,
  };
}
