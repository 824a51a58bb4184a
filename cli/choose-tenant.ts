import { credentialKindsOf } from '../core/deployment/deployment-file';
import { distance } from 'fastest-levenshtein';

import { type TenantKey, tenantKeyOf } from '../core/tokens/token-key';
import { ENVIRONMENTS, INTERFACES, PLATFORM_REGIONS } from '../core/deployment/platform';
import { issuerName } from '../core/issuers/learning-platform';
import { shellWord } from '../core/commands/shell-word';
import { checkLocations, refuseIfAllElsewhere, requireOneHere } from './check-locations';
import { type CommandContext, type TenantFlags } from './command';
import { type CommandError, usageError } from './command-error';
import { type Flags } from './command-text';
import { PLATFORM_SCOPES, requireWord } from './options';
import { showPattern } from './safe-text';
import { type ChosenTenant, type Deployment, type System, type Tenant } from './system';
import { type Terminal } from './terminal';

/** The flags that name a token; each is optional if only one matches. */
export interface TokenFlags extends TenantFlags {
  interface?: string;
  scope?: string;
}

/** A token of a tenant in its deployment. */
export interface ChosenToken extends ChosenTenant {
  readonly token: Tenant['tokens'][number];
}

/** The flags of commands that inspect any number of tenants. */
export interface TenantsFlags extends Omit<TenantFlags, 'tenant'> {
  /** Tenant identifiers or patterns: `*` stands for any characters, `?` for one. */
  tenant?: string | readonly string[];
}

/** A deployment to inspect, whole or some tenants of it. */
export interface ChosenDeployment {
  readonly deployment: Deployment;
  /** The tenants to inspect; all of them if undefined. */
  readonly tenantIds: readonly string[] | undefined;
  /** Why it must not be read; undefined if it is in the right AWS account and region. */
  readonly locationFailure?: CommandError | undefined;
}

/** How many candidates an error lists. */
const MAX_LISTED = 12;

interface Dimension<T> {
  flag: string;
  /** The environment variable that `wanted` comes from, if no flag says it. */
  variable?: string | undefined;
  /** For the picker. */
  question: string;
  /** The built-in platform's names, if they are a closed list. */
  words?: readonly string[];
  wanted: string | undefined;
  /** Whether a name is the wanted one. @default equality */
  accepts?: (name: string) => boolean;
  /** Undefined for a candidate without it, such as a deployment without a region. */
  nameOf: (candidate: T) => string | undefined;
}

/** The only tenant that matches the flags. @throws {CommandError} usage, listing the candidates */
export function chooseTenant(system: System, flags: TenantFlags): ChosenTenant {
  return selectOne(tenantsOf(system, flags), tenantDimensions(flags));
}

/**
 * The tenant that the flags name, in the right AWS account and region. At a terminal, asks for what they leave open.
 * @throws {CommandError} usage, `other_account`, or why it was not found
 */
export async function pickTenant(context: CommandContext, flags: TenantFlags): Promise<ChosenTenant> {
  return selectLocated(
    context,
    flags,
    tenantsOf(await context.system(), flags),
    tenantDimensions(flags),
    ({ tenant }) => secretIdsOf(tenant),
  );
}

/**
 * The token that the flags name, in the right AWS account and region. At a terminal, asks for what they leave open.
 * @throws {CommandError} usage, `other_account`, or why it was not found
 */
export async function pickToken(context: CommandContext, flags: TokenFlags): Promise<ChosenToken> {
  return selectLocated(
    context,
    flags,
    tokensOf(await context.system(), flags),
    tokenDimensions(flags),
    ({ token }) => [token.secretId],
  );
}

/**
 * The deployments that match the flags. Those that were not found in the right AWS account and region say why.
 * @throws {CommandError} usage, or `other_account` if all of them are elsewhere
 */
export async function pickDeployments(
  context: CommandContext,
  flags: TenantsFlags,
): Promise<ChosenDeployment[]> {
  const chosen = chooseDeployments(await context.system(), flags);
  const failures = await checkLocations(
    context.terminal,
    flags,
    chosen.map(({ deployment, tenantIds }) => ({
      deployment,
      secretIds: deployment.tenants
        .filter(({ tenantId }) => tenantIds?.includes(tenantId) ?? true)
        .slice(0, 1)
        .flatMap(secretIdsOf),
    })),
  );
  refuseIfAllElsewhere(failures);
  return chosen.map((each, index) => ({ ...each, locationFailure: failures[index] }));
}

async function selectLocated<T extends ChosenTenant>(
  { terminal }: CommandContext,
  flags: TenantFlags,
  candidates: T[],
  dimensions: Dimension<T>[],
  secretIds: (candidate: T) => string[],
): Promise<T> {
  const located = (candidate: T) => ({ deployment: candidate.deployment, secretIds: secretIds(candidate) });
  const fitting = select(candidates, dimensions);
  if (terminal.isInteractive && fitting.length > 1) {
    const onePerDeployment = fitting.filter(
      ({ deployment }, index) => fitting.findIndex((each) => each.deployment === deployment) === index,
    );
    await requireOneHere(flags, onePerDeployment.map(located));
  }
  const chosen = await askFor(terminal, candidates, dimensions);
  const [failure] = await checkLocations(terminal, flags, [located(chosen)]);
  if (failure !== undefined) throw failure;
  return chosen;
}

function secretIdsOf({ apiKey, secretIds, tokens }: Tenant): string[] {
  return [
    ...credentialKindsOf({ apiKey }).map((kind) => secretIds[kind]),
    ...tokens.map(({ secretId }) => secretId),
  ];
}

/** The deployments that match the flags. @throws {CommandError} usage if none does, or a pattern matches no tenant */
export function chooseDeployments(system: System, flags: TenantsFlags): ChosenDeployment[] {
  const patterns = patternsOf(flags);
  const tenants = tenantsOf(system, flags);
  const chosen =
    patterns === undefined
      ? select(tenants, tenantDimensions({ ...flags, tenant: undefined }))
      : patterns.flatMap((pattern) =>
          select(tenants, tenantDimensions({ ...flags, tenant: pattern }, globTest(pattern))),
        );
  return [...new Set(chosen.map(({ deployment }) => deployment))].map((deployment) => ({
    deployment,
    tenantIds: patterns && tenantIdsIn(deployment, chosen),
  }));
}

/** The flags that choose deployments and tenants, for {@link commandText}. */
export function placeFlagsOf({ issuer, environment, platformRegion, tenant }: TenantsFlags): Flags {
  return {
    '--issuer': issuer,
    '--environment': environment,
    '--platform-region': platformRegion,
    '--tenant': tenant,
  };
}

/** The names and patterns of tenants that the flags or their variable give; undefined if they give none. */
export function patternsOf({ tenant }: TenantsFlags): string[] | undefined {
  return tenant === undefined ? undefined : [tenant].flat();
}

/** The ids of the chosen tenants of a deployment, in its order. */
function tenantIdsIn(deployment: Deployment, chosen: readonly ChosenTenant[]): string[] {
  const wanted = new Set(chosen.filter((each) => each.deployment === deployment).map(({ tenant }) => tenant));
  return deployment.tenants.filter((tenant) => wanted.has(tenant)).map(({ tenantId }) => tenantId);
}

function globTest(pattern: string): (name: string) => boolean {
  const parts = pattern.split(/(\*+|\?)/).map((part) => {
    // Several in a row match the same as one, and would take a regular expression very long.
    if (part.startsWith('*')) return '.*';
    return part === '?' ? '.' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&');
  });
  const glob = new RegExp(`^${parts.join('')}$`, 's');
  return (name) => glob.test(name);
}

/** The key of a chosen tenant. */
export function chosenTenantKey({ deployment, tenant }: ChosenTenant): TenantKey {
  return tenantKeyOf(deployment, tenant.tenantId);
}

function tenantsOf(system: System, flags: TenantsFlags): ChosenTenant[] {
  return deploymentsMeant(system, flags).flatMap((deployment) =>
    deployment.tenants.map((tenant) => ({ system, deployment, tenant })),
  );
}

/** If several issuers have the named environment and region, and no issuer is named, the built-in platform's deployment is meant. */
function deploymentsMeant({ deployments }: System, flags: TenantsFlags): readonly Deployment[] {
  const isNamed = ({ environment, platformRegion }: Deployment) =>
    environment === flags.environment && platformRegion === flags.platformRegion;
  const hasBuiltIn = deployments.some((each) => isBuiltIn(each) && isNamed(each));
  if (flags.issuer !== undefined || !hasBuiltIn) return deployments;
  return deployments.filter((each) => isBuiltIn(each) || !isNamed(each));
}

function isBuiltIn({ issuer }: Deployment): boolean {
  return issuer === undefined;
}

function tokensOf(system: System, flags: TenantsFlags): ChosenToken[] {
  return tenantsOf(system, flags).flatMap((chosen) =>
    chosen.tenant.tokens.map((token) => ({ ...chosen, token })),
  );
}

function tenantDimensions<T extends ChosenTenant>(
  flags: TenantFlags,
  acceptsTenant?: (tenantId: string) => boolean,
): Dimension<T>[] {
  const { issuer, environment, platformRegion, tenant, variables = {} } = flags;
  return [
    {
      flag: '--issuer',
      wanted: issuer,
      variable: variables.issuer,
      question: 'Issuer',
      nameOf: ({ deployment }) => issuerName(deployment),
    },
    {
      flag: '--environment',
      wanted: environment,
      variable: variables.environment,
      question: 'Platform environment',
      words: ENVIRONMENTS,
      nameOf: ({ deployment }) => deployment.environment,
    },
    {
      flag: '--platform-region',
      wanted: platformRegion,
      variable: variables.platformRegion,
      question: 'Platform region',
      words: PLATFORM_REGIONS,
      nameOf: ({ deployment }) => deployment.platformRegion,
    },
    {
      flag: '--tenant',
      wanted: tenant,
      variable: variables.tenant,
      question: 'Tenant',
      ...(acceptsTenant && { accepts: acceptsTenant }),
      nameOf: (candidate) => candidate.tenant.tenantId,
    },
  ];
}

function tokenDimensions(flags: TokenFlags): Dimension<ChosenToken>[] {
  return [
    ...tenantDimensions<ChosenToken>(flags),
    {
      flag: '--interface',
      wanted: flags.interface,
      question: 'Interface of the token',
      words: INTERFACES,
      nameOf: ({ token }) => token.interface,
    },
    {
      flag: '--scope',
      wanted: flags.scope,
      question: 'Scope of the token',
      words: PLATFORM_SCOPES,
      nameOf: ({ token }) => token.scope,
    },
  ];
}

/** Asks for each dimension in which the candidates differ, if somebody can answer. */
async function askFor<T extends ChosenTenant>(
  terminal: Terminal,
  candidates: T[],
  dimensions: Dimension<T>[],
): Promise<T> {
  let fitting = select(candidates, dimensions);
  for (const dimension of dimensions) {
    const names = namesOf(fitting, dimension.nameOf);
    if (names.length < 2 || !terminal.isInteractive) continue;
    const choices = names.map((name) => ({ value: name, label: shownName(name) }));
    const wanted = await terminal.choose(dimension.question, choices);
    fitting = selectBy(fitting, { ...dimension, wanted });
  }
  return selectOne(fitting, dimensions);
}

function selectOne<T extends ChosenTenant>(candidates: T[], dimensions: Dimension<T>[]): T {
  const fitting = select(candidates, dimensions);
  if (fitting.length === 0) throw usageError('configuration', 'no tenant', 'at least one');
  for (const { flag, nameOf } of dimensions) {
    const names = namesOf(fitting, nameOf);
    if (names.length > 1) {
      throw usageError(flag, 'nothing', list(names), matchesText(fitting, dimensions));
    }
  }
  return fitting[0]!;
}

/** Lists the candidates by the flags in which they differ. */
function matchesText<T>(fitting: T[], dimensions: Dimension<T>[]): string {
  const differing = dimensions.filter(({ nameOf }) => new Set(fitting.map(nameOf)).size > 1);
  const lines = fitting.slice(0, MAX_LISTED).map((candidate) => {
    const given = differing.flatMap(({ flag, nameOf }) => {
      const name = nameOf(candidate);
      return name === undefined ? [] : [`${flag} ${shellWord(name)}`];
    });
    return `  ${given.join(' ')}`;
  });
  const more = fitting.length - MAX_LISTED;
  return ['Matches:', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

/**
 * The candidates that match. Variables come last, so that the error names a variable that contradicts a flag.
 * @throws {CommandError} usage, if none matches
 */
function select<T extends ChosenTenant>(candidates: T[], dimensions: Dimension<T>[]): T[] {
  const rank = ({ variable }: Dimension<T>) => (variable === undefined ? 0 : 1);
  if (candidates.every(({ deployment }) => isBuiltIn(deployment))) dimensions.forEach(requireKnown);
  return [...dimensions].sort((a, b) => rank(a) - rank(b)).reduce(selectBy, candidates);
}

/** @throws {CommandError} usage, if a flag names nothing that the built-in platform has */
function requireKnown<T>({ flag, variable, wanted, words }: Dimension<T>): void {
  if (wanted !== undefined && variable === undefined && words !== undefined) requireWord(flag, wanted, words);
}

function selectBy<T>(candidates: T[], { flag, variable, wanted, nameOf, accepts }: Dimension<T>): T[] {
  if (wanted === undefined) return candidates;
  const fitting = candidates.filter((candidate) => {
    const name = nameOf(candidate);
    return accepts === undefined ? name === wanted : name !== undefined && accepts(name);
  });
  if (fitting.length === 0) throw unknownName(variable ?? flag, wanted, namesOf(candidates, nameOf));
  return fitting;
}

/** Of many names, lists those that are most like the wanted one. */
function unknownName(flag: string, wanted: string, names: string[]): CommandError {
  const text = wanted.replace(/[*?]/g, '').toLowerCase();
  const byLikeness = names
    .map((name) => ({ name, edits: distance(text, name.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
    .map(({ name }) => name);
  return usageError(flag, showPattern(wanted), list(names.length > MAX_LISTED ? byLikeness : names));
}

function namesOf<T>(candidates: T[], nameOf: Dimension<T>['nameOf']): string[] {
  return [...new Set(candidates.flatMap((candidate) => nameOf(candidate) ?? []))];
}

function list(names: string[]): string {
  if (names.length === 0) return 'nothing';
  const more = names.length - MAX_LISTED;
  return `${names.slice(0, MAX_LISTED).map(shownName).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A token may have no scope. */
function shownName(name: string): string {
  return name === '' ? "''" : name;
}
