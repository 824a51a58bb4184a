import { alarmNamePrefix, alarmOfName } from '../../contract/alarms';
import { type DeploymentFile } from '../../contract/deployment-file';
import { addFlags } from '../../inspect/fix-commands';
import { type AlarmState } from '../cloudwatch/alarm-state';
import { type AlarmsView, type AlarmView } from './console-state';

/** What the page may know of an alarm. */
export type ShownAlarm = Pick<AlarmState, 'name' | 'description' | 'state' | 'stateUpdatedMs' | 'isPaging'>;

/**
 * The alarms of the deployments: those that are in ALARM with their advice, the others counted.
 * @param flags that name the system again, for the commands in the advice
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

/** Whose alarm it is, by its name; undefined for one that is no deployment's. */
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
