import { alarmOfName } from '../contract/alarms';
import { spanText, timeMs } from '../inspect/times';
import { indentText, whereText } from './findings-view';
import { type Alarm } from './read-alarms';
import { type Deployment } from './system';
import { type Style } from './terminal';

/** One line with the number of alarms in each state. */
export function alarmCounts(alarms: readonly Alarm[], style: Style): string {
  const inState = (state: Alarm['state']) => alarms.filter((alarm) => alarm.state === state).length;
  const [inAlarm, ok, unknown] = [inState('ALARM'), inState('OK'), inState('INSUFFICIENT_DATA')];
  const counts = [
    ...(inAlarm === 0 ? [] : [style.bad(`${inAlarm} in alarm`)]),
    `${ok} OK`,
    ...(unknown === 0 ? [] : [`${unknown} insufficient data`]),
  ];
  return `${style.dim('ALARMS')}   ${alarms.length === 0 ? 'none deployed' : counts.join(', ')}`;
}

/**
 * The alarms in state ALARM, those that notify first: since when, and what to do.
 * @param nowMs the deployment's time; undefined if unknown
 */
export function alarmLines(
  alarms: readonly Alarm[],
  { environment, platformRegion }: Pick<Deployment, 'environment' | 'platformRegion'>,
  nowMs: number | undefined,
  style: Style,
): string[] {
  return alarms
    .filter(isInAlarm)
    .sort((a, b) => Number(b.notifies) - Number(a.notifies))
    .flatMap((alarm) => {
      const { tenantId, id } = alarmOfName(alarm.name);
      const sign = alarm.notifies ? style.bad('✗ alarm') : style.warning('! alarm');
      return [
        `${sign}  ${style.bold(whereText({ environment, platformRegion, tenantId }))}  ${id}`,
        `    ${style.dim(`${sinceText(alarm, nowMs)}, ${alarm.notifies ? 'notifies' : 'does not notify'}`)}`,
        ...indentText(alarm.description),
      ];
    });
}

export function isInAlarm({ state }: Alarm): boolean {
  return state === 'ALARM';
}

/** Such as `for 12 minutes, since 2026-01-31T11:48:00.000Z`. */
function sinceText({ since }: Alarm, nowMs: number | undefined): string {
  const sinceMs = timeMs(since);
  if (sinceMs === undefined) return 'start unknown';
  return nowMs === undefined || nowMs < sinceMs
    ? `since ${since}`
    : `for ${spanText(nowMs - sinceMs)}, since ${since}`;
}
