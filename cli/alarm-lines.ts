import { alarmOfName } from '../core/alarms/alarms';
import { type AlarmsByCause } from '../core/findings/alarm-causes';
import { spanText, timeMs } from '../core/findings/times';
import { countText, indentText, whereText } from './findings-view';
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

/** At most this many alarms of one cause, or of one kind, are listed; the rest are counted. */
const MAX_LISTED = 5;

/**
 * The alarms that a finding has caused, a line each.
 * @param isShared whether several tenants have the finding, so that each alarm names its own
 */
export function causedAlarmLines(
  alarms: readonly Alarm[],
  isShared: boolean,
  nowMs: number | undefined,
  style: Style,
): string[] {
  const titleOf = (alarm: Alarm) => {
    const { id, tenantId } = alarmOfName(alarm.name);
    return isShared && tenantId !== undefined ? `${id} of ${tenantId}` : id;
  };
  const unlisted = alarms.slice(MAX_LISTED).length;
  return [
    ...(unlisted === 0 ? alarms : notifyingFirst(alarms))
      .slice(0, MAX_LISTED)
      .map(
        (alarm) =>
          `    ${style.dim(`In alarm: ${titleOf(alarm)} ${sinceText(alarm, nowMs)}${notifyText(alarm)}`)}`,
      ),
    ...(unlisted === 0
      ? []
      : [`    ${style.dim(`And ${countText(unlisted)} more ${unlisted === 1 ? 'alarm' : 'alarms'}.`)}`]),
  ];
}

function notifyingFirst(alarms: readonly Alarm[]): Alarm[] {
  return [...alarms].sort((a, b) => Number(b.notifies) - Number(a.notifies));
}

/**
 * Alarms that no finding explains, those that notify first: since when, and what to do. Of one kind that many tenants have,
 * one is shown.
 * @param nowMs the time of the deployment's snapshot; undefined if there is none
 */
export function alarmLines(
  alarms: AlarmsByCause<Alarm>['others'],
  { environment, platformRegion }: Pick<Deployment, 'environment' | 'platformRegion'>,
  nowMs: number | undefined,
  style: Style,
): string[] {
  const byKind = new Map<string, { alarm: Alarm; notifying: Alarm[] }[]>();
  for (const { alarm, composites } of alarms) {
    const { tenantId, id } = alarmOfName(alarm.name);
    const kind = tenantId === undefined ? id : `tenant ${id}`;
    const known = byKind.get(kind) ?? [];
    byKind.set(kind, known);
    known.push({ alarm, notifying: [alarm, ...composites].filter(({ notifies }) => notifies) });
  }
  return [...byKind.values()]
    .flatMap((alike) => {
      alike.sort((a, b) => b.notifying.length - a.notifying.length);
      const listed = alike.length > MAX_LISTED ? alike.slice(0, 1) : alike;
      return listed.map((each) => ({ ...each, more: alike.length - listed.length }));
    })
    .sort((a, b) => b.notifying.length - a.notifying.length)
    .flatMap(({ alarm, more, notifying }) => {
      const { tenantId, id } = alarmOfName(alarm.name);
      const sign = notifying.length > 0 ? style.bad('✗ alarm') : style.warning('! alarm');
      const isOver = id === 'credential-refused' && nowMs !== undefined;
      return [
        `${sign}  ${style.bold(whereText({ environment, platformRegion, tenantId }))}  ${id}`,
        `    ${style.dim(`${sinceText(alarm, nowMs)}, ${notifyingText(alarm, notifying)}`)}`,
        ...indentText(isOver ? OVER : alarm.description),
        ...(more === 0 ? [] : [`    ${style.dim(`The same alarm of ${countText(more)} more tenants.`)}`]),
      ];
    });
}

/** A refused credential without a finding: the alarm looks back over ten minutes. */
const OVER =
  'The credential is new, or no token is affected anymore. The alarm ends by itself within 11 minutes.';

function notifyText({ notifies }: Alarm): string {
  return notifies ? ', notifies' : '';
}

function notifyingText(alarm: Alarm, [first]: readonly Alarm[]): string {
  if (first === undefined) return 'does not notify';
  return first === alarm ? 'notifies' : `notifies as ${alarmOfName(first.name).id}`;
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
