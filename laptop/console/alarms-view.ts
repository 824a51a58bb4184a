import { alarmNamePrefix, alarmOfName } from '../../core/alarms/alarms';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type DeploymentSnapshot } from '../../core/deployment/deployment-snapshot';
import { alarmsByCause } from '../../core/findings/alarm-causes';
import { type Finding } from '../../core/findings/finding';
import { addFlags } from '../../core/commands/fix-commands';
import { type DeploymentKey, deploymentKeyOf, isSameDeployment } from '../../core/tokens/token-key';
import { type AlarmState } from 'cdk-on-loopback';
import { type AlarmsView, type AlarmView } from './console-state';

/** Later alarms are only counted. */
const MAX_SHOWN_ALARMS = 50;

/** The fields of an alarm that the page may know. */
export type ShownAlarm = Pick<AlarmState, 'name' | 'description' | 'state' | 'stateUpdatedMs' | 'notifies'>;

/**
 * The alarms of the deployments: counts by state, and each one in state ALARM with its advice. If a finding is the cause, the
 * advice names the finding; if the fault is over, the advice says so.
 * @param flags to add to the commands in the advice, so that they address the same system
 */
export function alarmsView(
  alarms: readonly ShownAlarm[],
  snapshots: readonly DeploymentSnapshot[],
  findings: readonly Finding[],
  flags: string,
): AlarmsView {
  const deployments = snapshots.map(({ deployment }) => deployment);
  const placed = alarms.flatMap((alarm) => {
    const place = placeOf(alarm.name, deployments);
    return place === undefined ? [] : [{ alarm, place }];
  });
  const count = (state: ShownAlarm['state']): number =>
    placed.filter(({ alarm }) => alarm.state === state).length;
  const inAlarm = placed.filter(({ alarm }) => alarm.state === 'ALARM');
  const advice = new Map(
    snapshots.flatMap((snapshot) =>
      adviceOf(
        inAlarm.map(({ alarm }) => alarm),
        snapshot,
        findings,
        flags,
      ),
    ),
  );
  return {
    inAlarm: inAlarm
      .map(({ alarm, place }) => ({
        ...place,
        sinceMs: alarm.stateUpdatedMs,
        notifies: alarm.notifies,
        advice: advice.get(alarm.name)!,
      }))
      .sort((a, b) => Number(b.notifies) - Number(a.notifies) || b.sinceMs - a.sinceMs)
      .slice(0, MAX_SHOWN_ALARMS),
    counts: { alarm: count('ALARM'), ok: count('OK'), insufficientData: count('INSUFFICIENT_DATA') },
  };
}

/** The advice for the alarms of one deployment, by name. */
function adviceOf(
  inAlarm: readonly ShownAlarm[],
  snapshot: DeploymentSnapshot,
  findings: readonly Finding[],
  flags: string,
): (readonly [name: string, advice: string])[] {
  const { deployment } = snapshot;
  const prefix = alarmNamePrefix(deployment.prefix, deployment);
  const { caused, others } = alarmsByCause(
    inAlarm
      .filter(({ name }) => name.startsWith(prefix))
      .map((alarm) => ({ ...alarm, since: new Date(alarm.stateUpdatedMs).toISOString() })),
    findings.filter(({ place }) => isSameDeployment(place, deployment)),
    snapshot,
  );
  // A composite alarm takes the last of its members' texts, so it is called over only if all of them are.
  const ordered = [...others].sort((a, b) => Number(b.isOver) - Number(a.isOver));
  return [
    ...ordered.flatMap(({ alarm, composites, isOver, note }) =>
      [alarm, ...composites].map(
        ({ name, description }) =>
          [
            name,
            isOver
              ? note
              : `When it began: ${addFlags(description, flags).replaceAll('`latchkey ', '`npx latchkey ')} ${note}`,
          ] as const,
      ),
    ),
    ...[...caused].flatMap(([{ message }, alarmsOf]) =>
      alarmsOf.map(({ name }) => [name, `The cause: ${message}`] as const),
    ),
  ];
}

/** The deployment, tenant and short name of an alarm; undefined if it belongs to no deployment. */
function placeOf(
  alarmName: string,
  deployments: readonly DeploymentFile[],
): (DeploymentKey & Pick<AlarmView, 'tenantId' | 'name'>) | undefined {
  for (const deployment of deployments) {
    if (!alarmName.startsWith(alarmNamePrefix(deployment.prefix, deployment))) continue;
    const { id: name, tenantId } = alarmOfName(alarmName);
    return { ...deploymentKeyOf(deployment), name, ...(tenantId !== undefined && { tenantId }) };
  }
  return undefined;
}
