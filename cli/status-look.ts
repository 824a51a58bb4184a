import { type Alarm, readAlarms } from './alarms-command';
import { isRed } from './alarm-lines';
import { type Section } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, errorDocument } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { exitCodeOf, type Look, lookAt, looksDocument } from './look';
import { type System } from './system';

/** What status shows of one deployment. */
export interface StatusLook extends AlarmsLook {
  readonly look: Look;
}

interface AlarmsLook {
  readonly alarms: readonly Alarm[];
  /** Why there are none to show. */
  readonly alarmsFailure?: CommandError;
}

/** Looks at deployments and their alarms at once; what cannot be seen does not hide the rest. */
export async function lookForStatus(
  context: CommandContext,
  system: System,
  sections: Section[],
): Promise<StatusLook[]> {
  const [looks, alarms] = await Promise.all([
    lookAt(context, system, sections),
    Promise.all(sections.map((section) => alarmsOf(context, system, section))),
  ]);
  return looks.map((look, index) => ({ look, ...alarms[index]! }));
}

async function alarmsOf(context: CommandContext, { flags }: System, section: Section): Promise<AlarmsLook> {
  try {
    return { alarms: await readAlarms(context, section, flags) };
  } catch (error) {
    if (!(error instanceof CommandError) || error.code === 'interrupted') throw error;
    return { alarms: [], alarmsFailure: error };
  }
}

/** Badly where something has to be seen to, an alarm among it, or could not be seen. */
export function statusExitCode(seen: readonly StatusLook[]): ExitCode {
  const codes = seen.map(({ alarms, alarmsFailure }): ExitCode => {
    return alarmsFailure?.exitCode ?? (alarms.some(isRed) ? EXIT.failed : EXIT.done);
  });
  return Math.max(exitCodeOf(seen.map(({ look }) => look)), ...codes) as ExitCode;
}

/** What programs are told. */
export function statusDocument(seen: readonly StatusLook[]): object {
  const { deployments, ...rest } = looksDocument(seen.map(({ look }) => look));
  return {
    deployments: deployments.map((deployment, index) => {
      const { alarms, alarmsFailure } = seen[index]!;
      return alarmsFailure === undefined
        ? { ...deployment, alarms }
        : { ...deployment, alarmsError: errorDocument(alarmsFailure) };
    }),
    ...rest,
  };
}
