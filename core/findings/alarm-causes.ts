import { alarmOfName, COMPOSITE_ALARMS, type DeploymentAlarm, type TenantAlarm } from '../alarms/alarms';
import { type FindingKind } from './finding-kinds';
import { wantsAttention } from './attention';
import { findingsByTenant, nameOf } from './causes';
import { type Finding } from './finding';

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

/** Alarms in state ALARM by their causes. */
export interface AlarmsByCause<A> {
  /** Alarms that a finding explains, by the finding at the root. */
  caused: Map<Finding, A[]>;
  /** Alarms that no finding explains, each with the composite alarms that are on because of it. */
  others: { alarm: A; composites: A[] }[];
}

/**
 * Assigns each alarm of one deployment to the finding that explains it. A composite alarm belongs to the first of its
 * members that is on.
 */
export function alarmsByCause<A extends { readonly name: string }>(
  inAlarm: readonly A[],
  findings: readonly Finding[],
): AlarmsByCause<A> {
  const caused = new Map<Finding, A[]>();
  const others: { alarm: A; composites: A[] }[] = [];
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
    const found = (tenantId === undefined ? findings : (byTenant.get(tenantId) ?? [])).find((finding) =>
      id === 'credential-attention' ? wantsAttention(finding) : explains(finding, id),
    );
    const cause = found?.cause === undefined ? found : byName.get(nameOf(found.cause));
    if (cause === undefined) others.push({ alarm, composites });
    else {
      const known = caused.get(cause) ?? [];
      caused.set(cause, known);
      known.push(alarm, ...composites);
    }
  }
  return { caused, others };
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
