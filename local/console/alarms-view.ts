import { alarmNamePrefix, alarmOfName } from '../../contract/alarms';
import { type DeploymentFile } from '../../contract/deployment-file';
import { addFlags } from '../../inspect/fix-commands';
import { type AlarmState } from '../cloudwatch/alarm-state';
import { type AlarmsView, type AlarmView } from './console-state';

/** The fields of an alarm that the page may know. */
export type ShownAlarm = Pick<AlarmState, 'name' | 'description' | 'state' | 'stateUpdatedMs' | 'isPaging'>;

/**
 * The alarms of the deployments: those in state ALARM with their advice, the others as counts.
 * @param flags to add to the commands in the advice, so that they address the same system
 */
export function alarmsView(
  alarms: readonly ShownAlarm[],
  deployments: readonly DeploymentFile[],
  flags: string,
): AlarmsView {
  const placed = alarms.flatMap((alarm) => {
    const place = placeOf(alarm.name, deployments);
    return place === undefined ? [] : [{ alarm, place }];
  });
  const count = (state: ShownAlarm['state']): number =>
    placed.filter(({ alarm }) => alarm.state === state).length;
  return {
    inAlarm: placed
      .filter(({ alarm }) => alarm.state === 'ALARM')
      .map(({ alarm: { stateUpdatedMs, isPaging, description }, place }) => ({
        ...place,
        sinceMs: stateUpdatedMs,
        notifies: isPaging,
        advice: addFlags(description, flags),
      }))
      .sort((a, b) => Number(b.notifies) - Number(a.notifies) || b.sinceMs - a.sinceMs),
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
