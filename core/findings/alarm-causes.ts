import { withPageLinks } from '../commands/page-links';
import {
  type AlarmRow,
  COMPOSITE_ALARMS,
  DEPLOYMENT_ALARM_ROWS,
  TENANT_ALARM_ROWS,
} from '../alarms/alarm-rows';
import { alarmOfName } from '../alarms/alarms';
import { type DeploymentSnapshot } from '../deployment/deployment-snapshot';
import { wantsAttention } from './attention';
import { findingsByTenant, nameOf } from './causes';
import { type Finding } from './finding';
import { isDue } from './renewal-findings';
import { timeMs } from './times';

const ROWS = new Map<string, AlarmRow>(Object.entries({ ...TENANT_ALARM_ROWS, ...DEPLOYMENT_ALARM_ROWS }));

/** An alarm that no finding explains. */
export interface UnexplainedAlarm<A> {
  alarm: A;
  /** The composite alarms that are on because of it. */
  composites: A[];
  /** Whether its fault is over. */
  isOver: boolean;
  /** Sentences that say whether its fault is over, as far as is known, and when it ends. */
  note: string;
}

/** Alarms in state ALARM by their causes. */
export interface AlarmsByCause<A> {
  /** Alarms that a finding explains, by the finding at the root. */
  caused: Map<Finding, A[]>;
  others: UnexplainedAlarm<A>[];
}

/** What an alarm needs to have, besides its state. */
interface NamedAlarm {
  readonly name: string;
  /** When it went into alarm: ISO 8601. */
  readonly since?: string | undefined;
}

/**
 * Assigns each alarm of one deployment to the finding that explains it, which cannot have begun after the alarm. A composite
 * alarm belongs to each of its members that is on.
 * @param snapshot that the findings are from; undefined if there is none
 * @param isPart whether it has some tenants of the deployment only
 */
export function alarmsByCause<A extends NamedAlarm>(
  inAlarm: readonly A[],
  findings: readonly Finding[],
  snapshot?: DeploymentSnapshot,
  isPart = false,
): AlarmsByCause<A> {
  const caused = new Map<Finding, A[]>();
  const others: UnexplainedAlarm<A>[] = [];
  const compositesOf = new Map<A, A[]>();
  const plain: A[] = [];
  for (const alarm of inAlarm) {
    const members = membersOf(alarm.name);
    const on = inAlarm.filter(({ name }) => members.includes(alarmOfName(name).id));
    if (on.length === 0) plain.push(alarm);
    for (const member of on) compositesOf.set(member, [...(compositesOf.get(member) ?? []), alarm]);
  }
  const byTenant = findingsByTenant(findings);
  const byName = new Map(findings.map((finding) => [nameOf(finding), finding]));
  for (const alarm of plain) {
    const composites = compositesOf.get(alarm) ?? [];
    const { tenantId, id } = alarmOfName(alarm.name);
    const explaining = (tenantId === undefined ? findings : (byTenant.get(tenantId) ?? [])).filter(
      (finding) => (id === 'credential-attention' ? wantsAttention(finding) : explains(finding, id)),
    );
    const found = explaining.find((finding) => !isYounger(finding, alarm));
    const cause = found?.cause === undefined ? found : byName.get(nameOf(found.cause));
    if (cause === undefined) {
      const isFound = snapshot !== undefined && ROWS.get(id)?.isFound === true && !mayLast(id, snapshot);
      const isOfOthers = isPart && isFound && tenantId === undefined && id !== 'restore-availability';
      const isOver = isFound && !isOfOthers;
      const note = isOfOthers ? OF_OTHERS : isOver ? overText(id, explaining.length > 0) : maybeOverText(id);
      others.push({ alarm, composites, isOver, note });
      continue;
    }
    const known = caused.get(cause) ?? [];
    caused.set(cause, known);
    known.push(...[alarm, ...composites].filter((each) => !known.includes(each)));
  }
  return { caused, others };
}

/** Whether the fault began after the alarm, so that it cannot be its cause. */
function isYounger(finding: Finding, alarm: NamedAlarm): boolean {
  return (timeMs(finding.since) ?? -Infinity) > (timeMs(alarm.since) ?? Infinity);
}

/** Whether the fault may still be there without a finding: no renewal was tried, or a secret or the platform gave no answer. */
function mayLast(id: string, { tenants, restore, takenAt }: DeploymentSnapshot): boolean {
  if (id === 'restore-availability')
    return restore?.availability !== 'offered' && restore?.availability !== 'absent';
  if (tenants.some(({ credentials, tokens }) => [...credentials, ...tokens].some(isUnread))) return true;
  const nowMs = Date.parse(takenAt);
  return id === 'tokens-blocked' && tenants.some(({ tokens }) => tokens.some((token) => isDue(token, nowMs)));
}

function isUnread({ access }: { access: string }): boolean {
  return access === 'unavailable' || access === 'denied';
}

const OF_OTHERS = 'It is not about the chosen tenants.';

/** Only CloudWatch has what the alarm is about, or something could not be read. */
function maybeOverText(id: string): string {
  return `If the fault is over, the alarm ends ${ROWS.get(id)?.ends ?? 'by itself'}.`;
}

function overText(id: string, hasYounger: boolean): string {
  const ends = `alarm ends ${ROWS.get(id)!.ends}.`;
  // Tokens may be renewed in spite of it.
  if (id === 'tokens-blocked')
    return `No token is affected now. If the fault is over, the ${ends} If it stays, ${SEE_LOG}`;
  if (!hasYounger) return `The fault is over. The ${ends}`;
  return `The fault that began it is over, but a newer one is listed. Once that is fixed, the ${ends}`;
}

const SEE_LOG = withPageLinks(
  'the log of token-sweep has its code: docs/runbook/alarms.md#tokens-cannot-be-renewed',
);

function membersOf(name: string): readonly string[] {
  const { id, tenantId } = alarmOfName(name);
  if (tenantId !== undefined || !Object.hasOwn(COMPOSITE_ALARMS, id)) return [];
  return COMPOSITE_ALARMS[id as keyof typeof COMPOSITE_ALARMS];
}

function explains({ kind, schedule, severity }: Finding, id: string): boolean {
  if (severity === 'info') return false;
  return ROWS.get(id)?.explainedBy?.includes(schedule ?? kind) ?? false;
}
