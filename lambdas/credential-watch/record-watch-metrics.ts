import {
  type CredentialState,
  type DeploymentSnapshot,
  type TenantSnapshot,
} from '../../core/deployment/deployment-snapshot';
import { type FindingKind } from '../../core/findings/finding-kinds';
import { ALARMED_FINDINGS } from '../../core/alarms/metrics';
import { CREDENTIAL_KINDS, type CredentialKind } from '../../core/secrets/secret-names';
import { isNothingLoaded, wantsAttention } from '../../core/findings/attention';
import { type Finding } from '../../core/findings/finding';
import { timeMs } from '../../core/findings/times';
import { currentForMs, versionWith } from '../../core/findings/versions';
import { type Metrics } from '../shared/ports';

const DAY_MS = 86_400_000;
/** The part of a day, from 00:00 UTC, in which a run reports every tenant: the schedule has one run in it. */
const FULL_REPORT_MS = DAY_MS / 4;

/**
 * Records the metrics of one snapshot. A partial run emits per-tenant metrics only: a deployment-wide zero would cover
 * unchecked tenants. A secret that could not be read gets no zero either: its alarm would return to OK, and notify again
 * on the next run.
 * @see core/alarms/metrics.ts
 */
export function recordWatchMetrics(
  metrics: Metrics,
  { deployment, tenants }: DeploymentSnapshot,
  findings: readonly Finding[],
  nowMs: number,
): void {
  for (const tenant of tenants) {
    const { tenantId, credentials } = tenant;
    if (isNothingLoaded(credentials)) continue;
    const open = findings.filter((finding) => finding.place.tenantId === tenantId && wantsAttention(finding));
    if (open.length > 0 || (isInspected(tenant) && mayHaveEnded(tenant, nowMs)))
      metrics.count('CredentialAttention', open.length, { tenantId });
  }
  if (tenants.length < deployment.tenants.length) return;
  metrics.count('WatchRun');
  const zeros = tenants.every(isInspected) ? ALARMED_FINDINGS : [];
  for (const [code, count] of countsOf(findings, zeros)) metrics.count('Finding', count, { code });
  const agesDays = CREDENTIAL_KINDS.flatMap((kind) => {
    const loaded = loadedOf(tenants, kind);
    if (kind === 'api-key') recordExpiry(metrics, kind, loaded, nowMs);
    return recordAge(metrics, kind, loaded, nowMs) ?? [];
  });
  if (agesDays.length > 0) metrics.count('CredentialAge', Math.max(...agesDays));
}

/**
 * Whether a finding of an earlier run may be over: a secret changed since, or the run is the first of a day, because a
 * permission or the configuration may have changed. Otherwise the alarm keeps its state, and CloudWatch charges nothing for an
 * hour without data.
 */
function mayHaveEnded({ credentials }: TenantSnapshot, nowMs: number): boolean {
  return (
    nowMs % DAY_MS < FULL_REPORT_MS ||
    credentials.some(
      (credential) => credential.access !== 'ok' || nowMs - (timeMs(credential.changedAt) ?? nowMs) < DAY_MS,
    )
  );
}

/** Whether every credential of a tenant could be inspected, whatever the result. */
function isInspected({ credentials }: TenantSnapshot): boolean {
  return credentials.every(({ access }) => access !== 'unavailable');
}

/**
 * Number of findings of each kind, except those of severity info.
 * @param zeros kinds to include even if their count is 0
 */
function countsOf(findings: readonly Finding[], zeros: readonly FindingKind[]): Map<FindingKind, number> {
  const counts = new Map<FindingKind, number>(zeros.map((kind) => [kind, 0]));
  for (const { kind, severity } of findings) {
    if (severity !== 'info') counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** Records and returns the age of the oldest credential in days. Leaves out credentials of unknown age. */
function recordAge(
  metrics: Metrics,
  kind: CredentialKind,
  loaded: readonly CredentialState[],
  nowMs: number,
): number | undefined {
  const agesMs = loaded.flatMap((credential) => currentForMs(credential, nowMs) ?? []);
  if (agesMs.length === 0) return undefined;
  const ageDays = Math.max(...agesMs) / DAY_MS;
  metrics.count('CredentialAge', ageDays, { kind });
  return ageDays;
}

function recordExpiry(
  metrics: Metrics,
  kind: 'api-key',
  loaded: readonly CredentialState[],
  nowMs: number,
): void {
  if (loaded.length === 0) return;
  // A key without an expiry is not accepted, like an expired one.
  const expiriesMs = loaded.map(({ validUntil }) => timeMs(validUntil) ?? nowMs);
  metrics.count('DaysToExpiry', Math.max(0, Math.min(...expiriesMs) - nowMs) / DAY_MS, { kind });
}

function loadedOf(tenants: DeploymentSnapshot['tenants'], kind: CredentialKind): CredentialState[] {
  return tenants
    .flatMap(({ credentials }) => credentials)
    .flatMap((credential) => (credential.kind === kind && credential.access === 'ok' ? [credential] : []))
    .filter(({ versions }) => versionWith(versions, 'AWSCURRENT') !== undefined);
}
