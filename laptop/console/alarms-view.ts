import { alarmNamePrefix, alarmOfName } from '../../core/alarms/alarms';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { alarmsByCause } from '../../core/findings/alarm-causes';
import { type Finding } from '../../core/findings/finding';
import { addFlags } from '../../core/commands/fix-commands';
import { type AlarmState } from 'cdk-on-loopback';
import { type AlarmsView, type AlarmView } from './console-state';

/** More than these are counted. */
const SHOWN_ALARMS = 50;

/** The fields of an alarm that the page may know. */
export type ShownAlarm = Pick<AlarmState, 'name' | 'description' | 'state' | 'stateUpdatedMs' | 'isPaging'>;

/**
 * The alarms of the deployments: those in state ALARM with their advice, or the finding that is their cause and has the
 * advice, the others as counts.
 * @param flags to add to the commands in the advice, so that they address the same system
 */
export function alarmsView(
  alarms: readonly ShownAlarm[],
  deployments: readonly DeploymentFile[],
  findings: readonly Finding[],
  flags: string,
): AlarmsView {
  const placed = alarms.flatMap((alarm) => {
    const place = placeOf(alarm.name, deployments);
    return place === undefined ? [] : [{ alarm, place }];
  });
  const count = (state: ShownAlarm['state']): number =>
    placed.filter(({ alarm }) => alarm.state === state).length;
  const inAlarm = placed.filter(({ alarm }) => alarm.state === 'ALARM');
  const causes = new Map(
    deployments.flatMap(({ prefix, environment, platformRegion }) => {
      const start = alarmNamePrefix(prefix, { environment, platformRegion });
      const { caused } = alarmsByCause(
        inAlarm.map(({ alarm }) => alarm).filter(({ name }) => name.startsWith(start)),
        findings.filter(
          ({ place }) => place.environment === environment && place.platformRegion === platformRegion,
        ),
      );
      return [...caused].flatMap(([cause, alarmsOf]) => alarmsOf.map(({ name }) => [name, cause] as const));
    }),
  );
  const adviceOf = ({ name, description }: ShownAlarm) => {
    const cause = causes.get(name);
    return cause === undefined ? addFlags(description, flags) : `The cause: ${cause.message}`;
  };
  return {
    inAlarm: inAlarm
      .map(({ alarm, place }) => ({
        ...place,
        sinceMs: alarm.stateUpdatedMs,
        notifies: alarm.isPaging,
        advice: adviceOf(alarm),
      }))
      .sort((a, b) => Number(b.notifies) - Number(a.notifies) || b.sinceMs - a.sinceMs)
      .slice(0, SHOWN_ALARMS),
    counts: { alarm: count('ALARM'), ok: count('OK'), insufficientData: count('INSUFFICIENT_DATA') },
  };
}

/** The deployment, tenant and short name of an alarm; undefined if it belongs to no deployment. */
function placeOf(
  alarmName: string,
  deployments: readonly DeploymentFile[],
): Pick<AlarmView, 'environment' | 'platformRegion' | 'tenantId' | 'name'> | undefined {
  for (const { prefix, environment, platformRegion } of deployments) {
    const start = alarmNamePrefix(prefix, { environment, platformRegion });
    if (!alarmName.startsWith(start)) continue;
    const { id: name, tenantId } = alarmOfName(alarmName);
    return { environment, platformRegion, name, ...(tenantId !== undefined && { tenantId }) };
  }
  return undefined;
}
