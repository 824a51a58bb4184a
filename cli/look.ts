import { type DeploymentSnapshot, type WatchEvent } from '../contract/deployment-snapshot';
import { type Finding } from '../inspect/finding';
import { inspect } from '../inspect/inspect';
import { type ScheduleState } from '../inspect/schedule-findings';
import { type Section } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, errorDocument } from './command-error';
import { EXIT, type ExitCode } from './exit-codes';
import { invokeFunction } from './invoke-function';
import { type System } from './system';

/** The function itself ends within a minute. */
const REPORT_TIMEOUT_MS = 65_000;

/** What was seen of one deployment, or why nothing was. */
export type Look = Section & (Seen | { failure: CommandError });

export interface Seen {
  snapshot: DeploymentSnapshot;
  /** Where they were looked at too. */
  schedules?: readonly ScheduleState[] | undefined;
  findings: Finding[];
}

/** Looks at deployments at once; one that cannot be looked at does not stop the others. */
export async function lookAt(context: CommandContext, system: System, sections: Section[]): Promise<Look[]> {
  return Promise.all(
    sections.map(async (section): Promise<Look> => {
      try {
        const snapshot = await takeReport(context, section);
        return { ...section, snapshot, findings: findingsOf(system, section, { snapshot }) };
      } catch (failure) {
        if (!(failure instanceof CommandError) || failure.code === 'interrupted') throw failure;
        return { ...section, failure };
      }
    }),
  );
}

/** What credential-watch reports of a deployment. @throws {CommandError} */
export async function takeReport(
  { terminal: { interrupted } }: CommandContext,
  { deployment, tenantId }: Section,
): Promise<DeploymentSnapshot> {
  const event: WatchEvent = { action: 'report', ...(tenantId !== undefined && { tenantIds: [tenantId] }) };
  const timeoutMs = REPORT_TIMEOUT_MS;
  return invokeFunction(deployment, 'credential-watch-arn', event, { interrupted, timeoutMs });
}

/** What was seen that is to be seen to, by the rules that the watch and its alarms have. */
export function findingsOf(
  { flags }: System,
  { deployment: { configured } }: Section,
  { snapshot, schedules }: Omit<Seen, 'findings'>,
): Finding[] {
  return inspect({ snapshot, nowMs: takenAtMs(snapshot), flags, configured, schedules });
}

/** The moment of a report, by the clock of the deployment: that of the person's machine may be wrong. */
export function takenAtMs({ takenAt }: DeploymentSnapshot): number {
  return Date.parse(takenAt);
}

/** How a command ends that shows what was seen: badly where something has to be seen to, or could not be seen. */
export function exitCodeOf(looks: readonly Look[]): ExitCode {
  const failures = looks.flatMap((look) => ('failure' in look ? [look.failure.exitCode] : []));
  if (failures.length > 0) return Math.max(...failures) as ExitCode;
  return allFindings(looks).some(({ severity }) => severity !== 'info') ? EXIT.failed : EXIT.done;
}

export function allFindings(looks: readonly Look[]): Finding[] {
  return looks.flatMap((look) => ('failure' in look ? [] : look.findings));
}

/** What programs are told of what was seen. */
export function looksDocument(looks: readonly Look[]): { deployments: object[]; findings: Finding[] } {
  return {
    deployments: looks.map((look) => {
      const { environment, platformRegion, stackName } = look.deployment;
      const place = { environment, platformRegion, stack: stackName };
      if ('failure' in look) {
        return { ...place, error: errorDocument(look.failure) };
      }
      const { takenAt, tenants } = look.snapshot;
      return { ...place, takenAt, tenants };
    }),
    findings: allFindings(looks),
  };
}
