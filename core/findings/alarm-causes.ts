import { alarmOfName, COMPOSITE_ALARMS, type DeploymentAlarm, type TenantAlarm } from '../alarms/alarms';
import { ALARM_ENDS } from '../alarms/alarm-ends';
import { type DeploymentSnapshot } from '../deployment/deployment-snapshot';
import { type FindingKind } from './finding-kinds';
import { wantsAttention } from './attention';
import { findingsByTenant, nameOf } from './causes';
import { type Finding } from './finding';
import { isDue } from './renewal-findings';
import { timeMs } from './times';

/** The deployment's alarms that each kind of finding explains; `credential-attention` follows `wantsAttention`. */
const EXPLAINS: Partial<Record<FindingKind, readonly (DeploymentAlarm | TenantAlarm)[]>> = {
  credential_refused: ['credential-refused'],
  credential_unproven: ['credential-refused'],
  restore_absent: ['restore-availability'],
  restore_offered: ['restore-availability'],
  platform_unavailable: ['token-life', 'tokens-blocked'],
  renewal_failed: ['token-life', 'tokens-blocked'],
  token_expired: ['token-life'],
  token_low: ['token-life'],
  token_missing: ['token-life'],
  token_refused_early: ['token-requests'],
  secret_missing: ['token-life', 'tokens-blocked'],
  secret_scheduled_for_deletion: ['token-life', 'tokens-blocked'],
  missing_grant: ['token-life', 'tokens-blocked'],
  candidate_refused: ['rotation-refused'],
  candidate_untested: ['rotation-untested'],
  candidate_waiting: ['rotation-stuck'],
  candidate_left_behind: ['rotation-stuck'],
  pending_left_behind: ['rotation-stuck'],
  api_key_expired: ['api-key-expiring', 'api-key-expiring-soon', 'credential-refused'],
  api_key_expiring_in_7_days: ['api-key-expiring', 'api-key-expiring-soon'],
  api_key_expiring_in_30_days: ['api-key-expiring'],
  rotation_due: ['rotation-due'],
  rotation_overdue: ['rotation-due', 'rotation-overdue'],
};

/** An alarm that no finding explains. */
export interface UnexplainedAlarm<A> {
  alarm: A;
  /** The composite alarms that are on because of it. */
  composites: A[];
  /** Set if its fault is over: that, and when it ends. */
  isOver?: string;
  /** Set if some tenants of the deployment were inspected, and it can only be about others. */
  isOfOthers?: true;
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
 * alarm belongs to the first of its members that is on.
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
    const member =
      members.length === 0 ? undefined : inAlarm.find(({ name }) => members.includes(alarmOfName(name).id));
    if (member === undefined) plain.push(alarm);
    else compositesOf.set(member, [...(compositesOf.get(member) ?? []), alarm]);
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
      const isFound = ALARM_ENDS[id as keyof typeof ALARM_ENDS]?.isFound;
      if (snapshot === undefined || isFound !== true) others.push({ alarm, composites });
      else if (isPart && tenantId === undefined) others.push({ alarm, composites, isOfOthers: true });
      else others.push({ alarm, composites, ...overText(id, snapshot, explaining.length > 0) });
      continue;
    }
    const known = caused.get(cause) ?? [];
    caused.set(cause, known);
    known.push(alarm, ...composites);
  }
  return { caused, others };
}

/** Whether the fault began after the alarm, so that it cannot be its cause. */
function isYounger(finding: Finding, alarm: NamedAlarm): boolean {
  return (timeMs(finding.since) ?? -Infinity) > (timeMs(alarm.since) ?? Infinity);
}

/** Nothing is said while no renewal was tried, or the platform gave no answer: the fault may still be there. */
function overText(
  id: string,
  { tenants, restore, takenAt }: DeploymentSnapshot,
  hasYounger: boolean,
): { isOver?: string } {
  const isUnknown =
    id === 'tokens-blocked'
      ? tenants.some(({ tokens }) => tokens.some((token) => isDue(token, Date.parse(takenAt))))
      : id === 'restore-availability' && (restore?.availability ?? 'undetermined') === 'undetermined';
  if (isUnknown) return {};
  const { ends } = ALARM_ENDS[id as keyof typeof ALARM_ENDS];
  const what = hasYounger
    ? 'The fault that began it is over, but a newer one is listed. Once that is fixed, the'
    : 'The fault is over. The';
  return { isOver: `${what} alarm ends ${ends}.` };
}

function membersOf(name: string): readonly string[] {
  const { id, tenantId } = alarmOfName(name);
  if (tenantId !== undefined || !Object.hasOwn(COMPOSITE_ALARMS, id)) return [];
  return COMPOSITE_ALARMS[id as keyof typeof COMPOSITE_ALARMS];
}

function explains({ kind, schedule, severity }: Finding, id: string): boolean {
  if (severity === 'info') return false;
  if (schedule === 'token-sweep') return id === 'sweep-silent' || id === 'token-life';
  if (schedule === 'credential-watch') return id === 'watch-silent';
  return EXPLAINS[kind]?.some((each) => each === id) ?? false;
}
