import { withPageLinks } from '../commands/page-links';
import {
  type AlarmRow,
  COMPOSITE_ALARMS,
  DEPLOYMENT_ALARM_ROWS,
  TENANT_ALARM_ROWS,
} from '../alarms/alarm-rows';
import { alarmOfName } from '../alarms/alarms';
import { type DeploymentSnapshot, type TokenSnapshot } from '../deployment/deployment-snapshot';
import { wantsAttention } from './attention';
import { findingsByTenant, findingKeyText } from './causes';
import { type Finding } from './finding';
import { nextSweepRenews } from './renewal-findings';
import { timeMs } from './times';

const ROWS = new Map<string, AlarmRow>(Object.entries({ ...TENANT_ALARM_ROWS, ...DEPLOYMENT_ALARM_ROWS }));

/** An alarm that no finding explains. */
export interface UnexplainedAlarm<A> {
  alarm: A;
  /** The composite alarms that are in alarm because of it. */
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
 * alarm belongs to each of its members that is in alarm.
 * @param snapshot that the findings are from; undefined if there is none
 * @param isPartial whether the snapshot covers only some tenants of the deployment
 */
export function alarmsByCause<A extends NamedAlarm>(
  inAlarm: readonly A[],
  findings: readonly Finding[],
  snapshot?: DeploymentSnapshot,
  isPartial = false,
): AlarmsByCause<A> {
  const caused = new Map<Finding, A[]>();
  const others: UnexplainedAlarm<A>[] = [];
  const compositesOf = compositesByMember(inAlarm);
  const compositesWithMembers = new Set([...compositesOf.values()].flat());
  const byTenant = findingsByTenant(findings);
  const byKey = new Map(findings.map((finding) => [findingKeyText(finding), finding]));
  for (const alarm of inAlarm.filter((each) => !compositesWithMembers.has(each))) {
    const composites = compositesOf.get(alarm) ?? [];
    const { tenantId, id } = alarmOfName(alarm.name);
    const candidates = tenantId === undefined ? findings : (byTenant.get(tenantId) ?? []);
    const explaining = candidates.filter((finding) => explains(finding, id));
    const symptom = explaining.find((finding) => !isYounger(finding, alarm));
    const cause = symptom?.cause === undefined ? symptom : byKey.get(findingKeyText(symptom.cause));
    if (cause === undefined) {
      others.push({ alarm, composites, ...endOf(alarm, explaining.length > 0, snapshot, isPartial) });
      continue;
    }
    const alarms = caused.get(cause) ?? [];
    caused.set(cause, [...alarms, ...[alarm, ...composites].filter((each) => !alarms.includes(each))]);
  }
  return { caused, others };
}

/** The composite alarms in alarm, by each of their members that is, too. */
function compositesByMember<A extends NamedAlarm>(inAlarm: readonly A[]): ReadonlyMap<A, A[]> {
  const composites = new Map<A, A[]>();
  for (const composite of inAlarm) {
    const members = membersOf(composite.name);
    for (const alarm of inAlarm.filter(({ name }) => members.includes(alarmOfName(name).id)))
      composites.set(alarm, [...(composites.get(alarm) ?? []), composite]);
  }
  return composites;
}

/** Whether the fault of an unexplained alarm is over, and the sentences about that. */
function endOf(
  { name }: NamedAlarm,
  hasNewerFinding: boolean,
  snapshot: DeploymentSnapshot | undefined,
  isPartial: boolean,
): { isOver: boolean; note: string } {
  const { tenantId, id } = alarmOfName(name);
  const isGone = snapshot !== undefined && ROWS.get(id)?.isFound === true && !mayLast(id, snapshot);
  if (!isGone) return { isOver: false, note: maybeOverText(id) };
  const mayBeOfOthers = isPartial && tenantId === undefined && id !== 'restore-availability';
  if (mayBeOfOthers) return { isOver: false, note: 'No fault of the chosen tenants explains it now.' };
  return { isOver: true, note: overText(id, hasNewerFinding) };
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
  const isDue = (token: TokenSnapshot) => nextSweepRenews(token, Date.parse(takenAt));
  return id === 'tokens-blocked' && tenants.some(({ tokens }) => tokens.some(isDue));
}

function isUnread({ access }: { access: string }): boolean {
  return access === 'unavailable' || access === 'denied';
}

/** For an alarm whose fault only CloudWatch shows, or a snapshot with secrets that could not be read. */
function maybeOverText(id: string): string {
  return `If the fault is over, the alarm ends ${ROWS.get(id)?.ends ?? 'by itself'}.`;
}

function overText(id: string, hasNewerFinding: boolean): string {
  const ends = `alarm ends ${ROWS.get(id)!.ends}.`;
  // The fault may remain although tokens are renewed.
  if (id === 'tokens-blocked')
    return `No token is affected now. If the fault is over, the ${ends} If it stays, ${SEE_LOG}`;
  if (!hasNewerFinding) return `The fault is over. The ${ends}`;
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

function explains(finding: Finding, id: string): boolean {
  if (id === 'credential-attention') return wantsAttention(finding);
  const { kind, schedule, severity } = finding;
  return severity !== 'info' && (ROWS.get(id)?.explainedBy?.includes(schedule ?? kind) ?? false);
}
