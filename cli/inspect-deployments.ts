import { type DeploymentSnapshot, type WatchEvent } from '../core/deployment/deployment-snapshot';
import { mapConcurrently } from '../core/calls/map-concurrently';
import { type Finding } from '../core/findings/finding';
import { inspect } from '../core/findings/inspect';
import { type ScheduleState } from '../core/findings/schedule-findings';
import { deploymentKeyOf } from '../core/tokens/token-key';
import { type ChosenDeployment } from './choose-tenant';
import { type CommandContext } from './command';
import { CommandError, errorDocument, orFailure } from './command-error';
import { readSchedules } from './deployment-schedules';
import { EXIT, type ExitCode } from './exit-codes';
import { invokeFunction } from './invoke-function';
import { type Alarm, isInAlarm, readAlarms } from './read-alarms';
import { replicaFindings } from './replica-findings';
import { type System } from './system';

/** A report of credential-watch takes up to a minute. */
const SNAPSHOT_TIMEOUT_MS = 65_000;
/**
 * Tenants per invocation of credential-watch. Lambda's answers have at most 6 MB; a tenant needs 2 to 5 KB.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html (invocation payload)
 */
const MAX_TENANTS_PER_INVOCATION = 250;
/**
 * Each invocation has up to 30 calls to Secrets Manager in flight, and its share of a processor makes at most some 300 a second.
 * Secrets Manager allows 10,000 reads a second per account and region, which services that read tokens need too.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/userguide/reference_limits.html
 */
const MAX_PARALLEL_INVOCATIONS = 4;

/** The state of one deployment with its findings, or why it could not be inspected. */
export type Inspection = ChosenDeployment & AlarmsRead & (Inspected | { failure: CommandError });

interface Inspected {
  snapshot: DeploymentSnapshot;
  /** Undefined if they were not read. */
  schedules?: readonly ScheduleState[] | undefined;
  /** Findings about replicas; empty also if the replicas could not be read. */
  replicas: readonly Finding[];
  findings: Finding[];
  /** How many tokens `doctor` had renewed, to see whether that works. */
  renewed?: number;
}

interface AlarmsRead {
  readonly alarms: readonly Alarm[];
  /** Why the alarms could not be read. */
  readonly alarmsFailure?: CommandError;
}

/** Called with the number of tenants that were inspected since the last call. */
type OnInspected = (tenants: number) => void;

/**
 * Inspects deployments, their schedules and their alarms in parallel. A failure of one does not hide the others; without
 * the schedules, findings about them are missing, and `doctor` checks separately why.
 */
export async function inspectDeployments(
  context: CommandContext,
  system: System,
  deployments: ChosenDeployment[],
  onInspected: OnInspected = () => {},
): Promise<Inspection[]> {
  return Promise.all(
    deployments.map(async (chosen): Promise<Inspection> => {
      const { locationFailure } = chosen;
      if (locationFailure !== undefined) {
        return { ...chosen, alarms: [], alarmsFailure: locationFailure, failure: locationFailure };
      }
      const [snapshot, schedules, replicas, alarms] = await Promise.all([
        orFailure(takeSnapshot(context, chosen, onInspected)),
        orFailure(readSchedules(context, chosen.deployment)),
        orFailure(replicaFindings(context, chosen, system.flags)),
        orFailure(readAlarms(context, chosen, system.flags)),
      ]);
      const alarmsRead: AlarmsRead =
        alarms instanceof CommandError ? { alarms: [], alarmsFailure: alarms } : { alarms };
      if (snapshot instanceof CommandError) return { ...chosen, ...alarmsRead, failure: snapshot };
      const inspected = {
        ...chosen,
        ...alarmsRead,
        snapshot,
        schedules: schedules instanceof CommandError ? undefined : schedules,
        replicas: replicas instanceof CommandError ? [] : replicas,
      };
      return { ...inspected, findings: findingsOf(system, inspected) };
    }),
  );
}

/** Has credential-watch take a snapshot of a deployment, in parts if it has many tenants. @throws {CommandError} */
export async function takeSnapshot(
  context: CommandContext,
  { deployment, tenantIds }: ChosenDeployment,
  onInspected: OnInspected = () => {},
): Promise<DeploymentSnapshot> {
  const report = async (reported: readonly string[] | undefined): Promise<DeploymentSnapshot> => {
    const event: WatchEvent = {
      action: 'report',
      ...(reported !== undefined && { tenantIds: [...reported] }),
    };
    const { interrupted } = context.terminal;
    const options = { interrupted, timeoutMs: SNAPSHOT_TIMEOUT_MS };
    const snapshot: DeploymentSnapshot = await invokeFunction(
      deployment,
      'credential-watch-arn',
      event,
      options,
    );
    if (snapshot.tenants.length > 0) onInspected(snapshot.tenants.length);
    return snapshot;
  };
  const isWhole = tenantIds === undefined && deployment.tenants.length <= MAX_TENANTS_PER_INVOCATION;
  if (isWhole || tenantIds?.length === 1) return report(tenantIds);
  // Asks for deployed tenants only: the function refuses one that is configured but not deployed yet.
  const { deployment: deployedFile } = await report([]);
  const chosen = tenantIds && new Set(tenantIds);
  const deployed = deployedFile.tenants
    .map(({ tenantId }) => tenantId)
    .filter((tenantId) => chosen?.has(tenantId) ?? true);
  if (deployed.length === 0) return report(tenantIds);
  const parts = Array.from({ length: Math.ceil(deployed.length / MAX_TENANTS_PER_INVOCATION) }, (_, part) =>
    deployed.slice(part * MAX_TENANTS_PER_INVOCATION, (part + 1) * MAX_TENANTS_PER_INVOCATION),
  );
  return merged(await mapConcurrently(parts, MAX_PARALLEL_INVOCATIONS, report));
}

function merged(snapshots: readonly DeploymentSnapshot[]): DeploymentSnapshot {
  const restore = snapshots.map((each) => each.restore).find((each) => each !== undefined);
  const tenants = snapshots.flatMap((each) => each.tenants);
  return { ...snapshots[0]!, tenants, ...(restore !== undefined && { restore }) };
}

/** The findings, by the same rules as credential-watch and its alarms. */
export function findingsOf(
  { flags }: System,
  {
    deployment: { configured },
    snapshot,
    schedules,
    replicas,
    alarms,
  }: ChosenDeployment & AlarmsRead & Omit<Inspected, 'findings'>,
): Finding[] {
  const findings = inspect({
    snapshot,
    nowMs: takenAtMs(snapshot),
    flags,
    configured,
    schedules,
    alarms: alarms.filter(isInAlarm).map(({ name }) => name),
  });
  return [...findings, ...replicas];
}

/** When a snapshot was taken, by the deployment's clock: this machine's may be wrong. */
export function takenAtMs({ takenAt }: DeploymentSnapshot): number {
  return Date.parse(takenAt);
}

/** Not 0 if something needs attention, or could not be inspected. */
export function inspectionExitCode(inspections: readonly Inspection[]): ExitCode {
  const failures = inspections.flatMap((inspection) =>
    'failure' in inspection ? [inspection.failure.exitCode] : [],
  );
  if (failures.length > 0) return Math.max(...failures) as ExitCode;
  return allFindings(inspections).some(({ severity }) => severity !== 'info') ? EXIT.failed : EXIT.done;
}

export function allFindings(inspections: readonly Inspection[]): Finding[] {
  return inspections.flatMap((inspection) => ('failure' in inspection ? [] : inspection.findings));
}

/** What `--json` prints about inspections. */
export function inspectionsDocument(inspections: readonly Inspection[]): {
  deployments: object[];
  findings: Finding[];
} {
  return {
    deployments: inspections.map((inspection) => {
      const { deployment } = inspection;
      const names = { ...deploymentKeyOf(deployment), stack: deployment.stackName };
      if ('failure' in inspection) return { ...names, error: errorDocument(inspection.failure) };
      const { takenAt, tenants, restore } = inspection.snapshot;
      return { ...names, takenAt, tenants, ...(restore !== undefined && { restore }) };
    }),
    findings: allFindings(inspections),
  };
}
