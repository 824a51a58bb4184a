import { type DeploymentSnapshot, type TokenSnapshot } from '../contract/deployment-snapshot';
import { type FindingKind } from '../contract/finding-kinds';
import { isSameTokenType } from '../contract/token-key';
import { type Finding, type FindingKey, type Severity } from './finding';
import { kindOfFailure, renewalErrorOf } from './renewal-findings';

/** Findings about tokens that were not renewed. */
const UNRENEWED: readonly FindingKind[] = [
  'token_expired',
  'token_low',
  'token_missing',
  'token_of_retired_credential',
];
const SECRET_FAULTS: readonly FindingKind[] = [
  'secret_missing',
  'secret_scheduled_for_deletion',
  'missing_grant',
];
/** Findings about a credential that must be replaced soon. */
const DUE: readonly FindingKind[] = [
  'rotation_due',
  'rotation_overdue',
  'api_key_expired',
  'api_key_expiring_in_7_days',
  'api_key_expiring_in_30_days',
];
/** Findings whose fix replaces the credential. */
const REPLACING: readonly FindingKind[] = [
  'candidate_waiting',
  'candidate_untested',
  'candidate_refused',
  'credential_refused',
];

/** Adds to each symptom its cause, and the repair of that: the symptom's own would fail, or change nothing. */
export function withCauses(findings: readonly Finding[], snapshot: DeploymentSnapshot): Finding[] {
  const causes = new Map(findings.map((finding) => [finding, causeOf(finding, findings, snapshot)]));
  const rootOf = (finding: Finding): Finding => {
    const cause = causes.get(finding);
    return cause === undefined ? finding : rootOf(cause);
  };
  return findings.map((finding) => {
    const root = rootOf(finding);
    if (root === finding) return finding;
    const { remedy, command } = root.repair;
    const repair = { ...(remedy !== undefined && { remedy }), ...(command !== undefined && { command }) };
    return { ...finding, repair, cause: keyOf(root) };
  });
}

function causeOf(
  finding: Finding,
  findings: readonly Finding[],
  snapshot: DeploymentSnapshot,
): Finding | undefined {
  const { kind, place, credential } = finding;
  const ofTenant = findings.filter((each) => each.place.tenantId === place.tenantId);
  if (UNRENEWED.includes(kind)) {
    const code = renewalErrorOf(tokenOf(finding, snapshot))?.code;
    const failed = code && kindOfFailure(code);
    const isCause = (each: Finding) =>
      failed === undefined
        ? ['platform_unavailable', 'renewal_failed'].includes(each.kind) || each.schedule === 'token-sweep'
        : each.kind === failed;
    const ofCredential = ofTenant.filter((each) => each.credential === 'client-credentials');
    return (
      (failed === undefined || failed === 'credential_refused'
        ? ofCredential.find((each) => each.kind === 'credential_refused')
        : undefined) ??
      ofCredential.find((each) => SECRET_FAULTS.includes(each.kind)) ??
      findings.find(isCause)
    );
  }
  if (DUE.includes(kind)) {
    return ofTenant.find((each) => each.credential === credential && REPLACING.includes(each.kind));
  }
  // While the platform issues no tokens, it also tests no client credential.
  if (
    (kind === 'candidate_untested' || kind === 'candidate_waiting') &&
    credential === 'client-credentials'
  ) {
    return findings.find((each) => each.kind === 'platform_unavailable');
  }
  return undefined;
}

function tokenOf({ place, token }: Finding, { tenants }: DeploymentSnapshot): TokenSnapshot | undefined {
  return tenants
    .find(({ tenantId }) => tenantId === place.tenantId)
    ?.tokens.find((each) => token !== undefined && isSameTokenType(each, token));
}

/** A cause with what it causes: one line and one command. */
export interface CauseGroup {
  finding: Finding;
  /** Findings of the same kind with the same repair. */
  alike: Finding[];
  symptoms: Finding[];
  /** The most severe of all. */
  severity: Severity;
}

const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

/** Folds symptoms under their causes; the most severe groups first. */
export function groupByCause(findings: readonly Finding[]): CauseGroup[] {
  const groups: CauseGroup[] = [];
  for (const finding of findings.filter(({ cause }) => cause === undefined)) {
    const group = groups.find((each) => isAlike(each.finding, finding));
    if (group === undefined) groups.push({ finding, alike: [], symptoms: [], severity: finding.severity });
    else group.alike.push(finding);
  }
  for (const group of groups) {
    const keys = [group.finding, ...group.alike].map(nameOf);
    group.symptoms = findings.filter(({ cause }) => cause !== undefined && keys.includes(nameOf(cause)));
    group.severity = SEVERITIES.find((severity) =>
      [group.finding, ...group.alike, ...group.symptoms].some((each) => each.severity === severity),
    )!;
  }
  return groups.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

function isAlike(one: Finding, other: Finding): boolean {
  const isSameKind = one.kind === other.kind || [one, other].every(({ kind }) => UNRENEWED.includes(kind));
  const place = ({ place: { environment, platformRegion }, repair: { command, remedy } }: Finding) =>
    JSON.stringify([environment, platformRegion, command, remedy]);
  return isSameKind && place(one) === place(other);
}

const SYMPTOMS: Partial<Record<FindingKind, string>> = {
  token_expired: 'expired',
  token_low: 'expiring soon',
  token_missing: 'missing',
  token_of_retired_credential: 'of a retired credential',
};

/** What a cause has caused, as sentences. */
export function symptomLines({ symptoms }: CauseGroup): string[] {
  const tokens = symptoms.filter(({ kind }) => UNRENEWED.includes(kind));
  const counts = UNRENEWED.flatMap((kind) => {
    const count = tokens.filter((token) => token.kind === kind).length;
    return count === 0 ? [] : [`${count} ${SYMPTOMS[kind]}`];
  });
  const others = [
    ...new Set(
      symptoms
        .filter((each) => !tokens.includes(each))
        .map(({ kind }) => kind.replaceAll('_', ' ').replace('api', 'API')),
    ),
  ];
  return [
    ...(tokens.length === 0
      ? []
      : [`${tokens.length} ${tokens.length === 1 ? 'token' : 'tokens'} affected: ${counts.join(', ')}.`]),
    ...(others.length === 0 ? [] : [`Also because of it: ${others.join(', ')}.`]),
  ];
}

function keyOf({ kind, place, credential, token, schedule }: Finding): FindingKey {
  return {
    kind,
    place,
    ...(credential !== undefined && { credential }),
    ...(token !== undefined && { token }),
    ...(schedule !== undefined && { schedule }),
  };
}

/** A name that no other finding of the same inspections has, except of the same secret. */
function nameOf({ kind, place, credential, token, schedule }: FindingKey): string {
  const { environment, platformRegion, tenantId } = place;
  return JSON.stringify([
    kind,
    environment,
    platformRegion,
    tenantId,
    credential,
    token?.interface,
    token?.scope,
    schedule,
  ]);
}

/** Whether a key, such as a cause's, is that of the finding. */
export function isKeyOf(key: FindingKey, finding: Finding): boolean {
  return nameOf(key) === nameOf(finding);
}
