import { type DeploymentSnapshot, type TokenSnapshot } from '../deployment/deployment-snapshot';
import { DUE_KINDS, type FindingKind, SECRET_FAULTS } from './finding-kinds';
import { type Place, placeFlags } from '../commands/place-flags';
import { shellWord } from '../commands/shell-word';
import { type DeploymentKey, deploymentName, type TokenType } from '../tokens/token-key';
import { type Finding, type FindingKey, type Repair, SEVERITIES, type Severity } from './finding';
import { kindOfFailure, renewalErrorOf } from './renewal-findings';

/** Findings about tokens that were not renewed, with the word that counts them. */
const UNRENEWED = new Map<FindingKind, string>([
  ['token_expired', 'expired'],
  ['token_low', 'expiring soon'],
  ['token_missing', 'missing'],
  ['token_of_retired_credential', 'of a retired credential'],
]);
/** Findings whose fix replaces the credential. */
const REPLACING: readonly FindingKind[] = [
  'candidate_waiting',
  'candidate_untested',
  'candidate_refused',
  'credential_refused',
];

/** Adds its root cause to each symptom. The cause's repair replaces the symptom's own, which would fail or change nothing. */
export function withCauses(findings: readonly Finding[], snapshot: DeploymentSnapshot): Finding[] {
  const tokens = new Map(
    snapshot.tenants.flatMap(({ tenantId, tokens: each }) =>
      each.map((token) => [tokenKeyText(tenantId, token), token] as const),
    ),
  );
  const byTenant = findingsByTenant(findings);
  const causes = new Map(findings.map((finding) => [finding, causeOf(finding, byTenant, tokens)]));
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

/** Findings by tenant; those about the deployment under undefined. */
export function findingsByTenant(
  findings: readonly Finding[],
): ReadonlyMap<string | undefined, readonly Finding[]> {
  return groupedBy(findings, ({ place }) => place.tenantId);
}

function groupedBy<Item, Key>(items: readonly Item[], groupOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(groupOf(item));
    if (group === undefined) groups.set(groupOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

function isIn(kinds: readonly FindingKind[], kind: FindingKind): boolean {
  return kinds.includes(kind);
}

function tokenKeyText(tenantId: string | undefined, token: TokenType): string {
  return `${tenantId} ${token.interface} ${token.scope}`;
}

function causeOf(
  { kind, place, credential, token }: Finding,
  byTenant: ReadonlyMap<string | undefined, readonly Finding[]>,
  tokens: ReadonlyMap<string, TokenSnapshot>,
): Finding | undefined {
  const ofTenant = byTenant.get(place.tenantId) ?? [];
  const ofDeployment = byTenant.get(undefined) ?? [];
  if (UNRENEWED.has(kind)) {
    const code = renewalErrorOf(token && tokens.get(tokenKeyText(place.tenantId, token)))?.code;
    return causeOfUnrenewed(code && kindOfFailure(code), ofTenant, ofDeployment);
  }
  if (isIn(DUE_KINDS, kind)) {
    return ofTenant.find((each) => each.credential === credential && REPLACING.includes(each.kind));
  }
  // While the platform issues no tokens, it also tests no client credential.
  const isUntested = kind === 'candidate_untested' || kind === 'candidate_waiting';
  return isUntested && credential === 'client-credentials'
    ? ofDeployment.find((each) => each.kind === 'platform_unavailable')
    : undefined;
}

/** @param failure the kind of finding about the renewal that failed; undefined if none was tried */
function causeOfUnrenewed(
  failure: FindingKind | undefined,
  ofTenant: readonly Finding[],
  ofDeployment: readonly Finding[],
): Finding | undefined {
  const ofCredential = ofTenant.filter((each) => each.credential === 'client-credentials');
  const mayBeRefusal = failure === undefined || failure === 'credential_refused';
  const refusal = ofCredential.find((each) => mayBeRefusal && each.kind === 'credential_refused');
  const secretFault = ofCredential.find((each) => isIn(SECRET_FAULTS, each.kind));
  const isCause = ({ kind, schedule }: Finding) =>
    failure === undefined
      ? ['platform_unavailable', 'renewal_failed'].includes(kind) || schedule === 'token-sweep'
      : kind === failure;
  return refusal ?? secretFault ?? ofDeployment.find(isCause);
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

/** Folds symptoms under their causes; the most severe groups first. */
export function groupByCause(findings: readonly Finding[]): CauseGroup[] {
  const causes = findings.filter(({ cause }) => cause === undefined);
  const symptomsOf = groupedBy(findings, ({ cause }) => cause && findingKeyText(cause));
  const groups = [...groupedBy(causes, likenessOf).values()].map((group): CauseGroup => {
    const [finding, ...alike] = group as [Finding, ...Finding[]];
    const symptoms = group.flatMap((each) => symptomsOf.get(findingKeyText(each)) ?? []);
    return { finding, alike, symptoms, severity: worstOf([...group, ...symptoms])! };
  });
  return groups.sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}

/** The most severe of these findings; undefined if there are none. */
export function worstOf(findings: readonly Finding[]): Severity | undefined {
  return SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity));
}

/** What findings of one group share: their kind, as far as it matters, their deployment and their repair. */
function likenessOf({ kind, place, repair: { command, remedy } }: Finding): string {
  return JSON.stringify([kindOf(kind), deploymentName(place), command, remedy]);
}

/** The kind, as far as it matters to the fix. */
function kindOf(kind: FindingKind): string {
  return UNRENEWED.has(kind) ? 'unrenewed' : kind;
}

/** A cause that several tenants or deployments have, as one. */
export interface SharedCause extends CauseGroup {
  /** Whether it stands for several causes. */
  isFolded: boolean;
  /** The tenants that have it, in order; none if it is about whole deployments. */
  tenantIds: readonly string[];
  /** The deployments that have it, in order. */
  deployments: readonly DeploymentKey[];
  /** What fixes it for all of them, or else for the first. */
  repair: Repair;
  /** Whether the repair's command fixes the first tenant only. */
  isFixedOneByOne: boolean;
}

/** Up to this many tenants or deployments with the same cause have a line each. */
const MAX_APART = 2;
/** Commands that act on all tenants of all deployments if they name none. */
const FOR_MANY = /^latchkey (doctor|status)\b/;

/**
 * Folds causes that three or more tenants or deployments have alike into one, so that an outage is one line. If one command
 * fixes it for all, that is its repair; otherwise the repair is that of the first tenant.
 * @param chosen names or patterns of the inspected tenants, to which a command for all of them is limited; none for all
 */
export function foldTenants(groups: readonly CauseGroup[], chosen: readonly string[] = []): SharedCause[] {
  const alike = groupedBy(groups, sharedLikenessOf);
  const folded = new Set([...alike.values()].filter(({ length }) => length > MAX_APART));
  return groups.flatMap((group): SharedCause[] => {
    const same = alike.get(sharedLikenessOf(group))!;
    if (!folded.has(same)) return [sharedCause([group], chosen)];
    return same[0] === group ? [sharedCause(same, chosen)] : [];
  });
}

function sharedCause(same: readonly CauseGroup[], chosen: readonly string[]): SharedCause {
  const [first] = same as readonly [CauseGroup, ...CauseGroup[]];
  const { place, repair } = first.finding;
  const places = same.flatMap(({ finding, alike }) => [finding, ...alike].map((each) => each.place));
  const deployments = [...new Map(places.map((each) => [deploymentName(each), each])).values()];
  const tenantIds = [...new Set(places.flatMap(({ tenantId }) => tenantId ?? []))];
  const isFolded = same.length > 1;
  const isForMany = FOR_MANY.test(repair.command ?? '');
  const command =
    isFolded && isForMany
      ? repair.command?.replace(placeFlags(place), () => sharedFlags(place, deployments, chosen))
      : repair.command;
  return {
    ...first,
    isFolded,
    // Where no flags are shared, a space is left over.
    repair: { ...repair, ...(command !== undefined && { command: command.replaceAll('  ', ' ').trimEnd() }) },
    alike: [...first.alike, ...same.slice(1).flatMap(({ finding, alike }) => [finding, ...alike])],
    symptoms: same.flatMap(({ symptoms }) => symptoms),
    tenantIds,
    deployments,
    isFixedOneByOne: isFolded && !isForMany && command !== undefined,
  };
}

/** The flags that all deployments share, and those of the chosen tenants. */
function sharedFlags(place: Place, deployments: readonly DeploymentKey[], chosen: readonly string[]): string {
  const shared = (field: keyof DeploymentKey) =>
    deployments.every((each) => each[field] === place[field]) ? place[field] : undefined;
  return [
    placeFlags({
      issuer: shared('issuer'),
      environment: shared('environment'),
      platformRegion: shared('platformRegion'),
    }),
    ...(place.tenantId === undefined ? [] : chosen.map((each) => `--tenant ${shellWord(each)}`)),
  ].join(' ');
}

/** What causes of several tenants or deployments share. Names of secrets in repairs contain the tenant. */
function sharedLikenessOf({ finding: { kind, place, repair }, severity }: CauseGroup): string {
  const { command, remedy } = repair;
  const flags = placeFlags(place);
  return JSON.stringify([
    severity,
    kindOf(kind),
    command?.replace(flags, '').replaceAll(place.tenantId ?? flags, '*'),
    remedy?.replaceAll(place.tenantId ?? flags, '*'),
  ]);
}

/** What a cause has caused, as sentences. */
export function symptomLines({ symptoms }: CauseGroup): string[] {
  const tokens = symptoms.filter(({ kind }) => UNRENEWED.has(kind));
  const counts = [...UNRENEWED].flatMap(([kind, word]) => {
    const count = tokens.filter((token) => token.kind === kind).length;
    return count === 0 ? [] : [`${count} ${word}`];
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

/** Identifies a finding among those of all inspected deployments. */
export function findingKeyText({ kind, place, credential, token, schedule }: FindingKey): string {
  return JSON.stringify([
    kind,
    deploymentName(place),
    place.tenantId,
    credential,
    token?.interface,
    token?.scope,
    schedule,
  ]);
}
