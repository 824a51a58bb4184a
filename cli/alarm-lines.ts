import { alarmOfName } from '../core/alarms/alarms';
import { type UnexplainedAlarm } from '../core/findings/alarm-causes';
import { spanText, timeMs } from '../core/findings/times';
import { type DeploymentKey, deploymentKeyOf } from '../core/tokens/token-key';
import { countText, indentText, whereText } from './findings-view';
import { type Alarm } from './read-alarms';
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

/** The alarms that a finding has caused, as one line: `In alarm for 12 minutes, since …: token-life, tokens; notifies`. */
export function causedAlarmLines(
  alarms: readonly Alarm[],
  nowMs: number | undefined,
  style: Style,
): string[] {
  if (alarms.length === 0) return [];
  const [first] = [...alarms].sort((a, b) => (a.since ?? '').localeCompare(b.since ?? ''));
  const counts = new Map<string, number>();
  for (const { name } of alarms)
    counts.set(alarmOfName(name).id, (counts.get(alarmOfName(name).id) ?? 0) + 1);
  const names = [...counts].map(([id, count]) => (count === 1 ? id : `${countText(count)} ${id}`));
  const notifies = alarms.some((alarm) => alarm.notifies) ? '; notifies' : '';
  const differ = alarms.some(({ since }) => since !== first!.since);
  return indentText(
    `In alarm${differ ? ', the first' : ''} ${sinceText(first!, nowMs)}: ${names.join(', ')}${notifies}`,
  ).map(style.dim);
}

/** An alarm that no finding explains, with its deployment and the time of its snapshot. */
type UnexplainedIn = UnexplainedAlarm<Alarm> & {
  readonly deployment: DeploymentKey;
  readonly nowMs: number | undefined;
};

/** If at least this many tenants or deployments have the same alarm, only one is listed. */
const MIN_FOLDED = 3;

/** Alarms that no finding explains, those that notify first: since when, and what to do. */
export function alarmLines(alarms: readonly UnexplainedIn[], style: Style): string[] {
  return foldAlike(alarms)
    .sort((a, b) => rankOf(b) - rankOf(a))
    .flatMap(({ alarm, more, notifying, isOver, note, deployment, nowMs }) => {
      const { tenantId, id } = alarmOfName(alarm.name);
      const sign = !isOver && notifying.length > 0 ? style.bad('✗ alarm') : style.warning('! alarm');
      const others = tenantId === undefined ? 'deployments' : 'tenants';
      return [
        `${sign}  ${style.bold(whereText({ ...deploymentKeyOf(deployment), tenantId }))}  ${id}`,
        `    ${style.dim(`${sinceText(alarm, nowMs)}, ${notifyingText(alarm, notifying)}`)}`,
        ...indentText(isOver ? note : `When it began: ${alarm.description} ${note}`),
        ...(more === 0 ? [] : [`    ${style.dim(`The same alarm of ${countText(more)} more ${others}.`)}`]),
      ];
    });
}

/** One alarm for many of the same kind. `more`: how many of them are not listed. */
function foldAlike(alarms: readonly UnexplainedIn[]) {
  const byKind = new Map<string, (UnexplainedIn & { notifying: Alarm[] })[]>();
  for (const unexplained of alarms) {
    const { alarm, composites, note } = unexplained;
    const { tenantId, id } = alarmOfName(alarm.name);
    const kind = [tenantId === undefined ? 'deployment' : 'tenant', id, note].join(' ');
    const notifying = [alarm, ...composites].filter(({ notifies }) => notifies);
    byKind.set(kind, [...(byKind.get(kind) ?? []), { ...unexplained, notifying }]);
  }
  return [...byKind.values()].flatMap((alike) => {
    const sorted = alike.toSorted((a, b) => b.notifying.length - a.notifying.length);
    const listed = alike.length < MIN_FOLDED ? sorted : sorted.slice(0, 1);
    return listed.map((unexplained) => ({ ...unexplained, more: alike.length - listed.length }));
  });
}

/** An alarm that is over comes last. */
function rankOf({ isOver, notifying }: { isOver: boolean; notifying: Alarm[] }): number {
  return isOver ? 0 : 1 + notifying.length;
}

function notifyingText(alarm: Alarm, [first]: readonly Alarm[]): string {
  if (first === undefined) return 'does not notify';
  return first === alarm ? 'notifies' : `notifies as ${alarmOfName(first.name).id}`;
}

/** Such as `for 12 minutes, since 2026-01-31T11:48:00.000Z`. */
function sinceText({ since }: Alarm, nowMs: number | undefined): string {
  const sinceMs = timeMs(since);
  if (sinceMs === undefined) return 'start unknown';
  return nowMs === undefined || nowMs < sinceMs
    ? `since ${since}`
    : `for ${spanText(nowMs - sinceMs)}, since ${since}`;
}
