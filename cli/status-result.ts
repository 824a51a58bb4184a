import { errorDocument } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { type Inspection, inspectionExitCode, inspectionsDocument } from './inspect-deployments';
import { isInAlarm } from './read-alarms';

/** Not 0 if something needs attention, for example an alarm, or could not be inspected. */
export function statusExitCode(inspections: readonly Inspection[]): ExitCode {
  const codes = inspections.map(({ alarms, alarmsFailure }): ExitCode => {
    return alarmsFailure?.exitCode ?? (alarms.some(isInAlarm) ? EXIT.failed : EXIT.done);
  });
  return Math.max(inspectionExitCode(inspections), ...codes) as ExitCode;
}

/** What `--json` prints. */
export function statusDocument(inspections: readonly Inspection[]): object {
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
