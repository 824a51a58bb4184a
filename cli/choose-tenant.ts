import { type TenantKey } from '../contract/token-key';
import { type TenantFlags } from './command';
import { type CommandError, usageError } from './command-error';
import { showArgument } from './safe-text';
import { type ChosenTenant, type Deployment, type System, type Tenant } from './system';

/** The flags that name a token; each is optional if only one matches. */
export interface TokenFlags extends TenantFlags {
  interface?: string;
  scope?: string;
}

/** A token of a tenant in its deployment. */
export interface ChosenToken extends ChosenTenant {
  readonly token: Tenant['tokens'][number];
}

/** A deployment to inspect, whole or one tenant of it. */
export interface ChosenDeployment {
  readonly deployment: Deployment;
  /** The tenant to inspect; all of them if undefined. */
  readonly tenantId: string | undefined;
}

/** How many candidates an error lists. */
const LISTED = 12;

interface Dimension<T> {
  flag: string;
  wanted: string | undefined;
  of: (candidate: T) => string;
}

/** The only tenant that matches the flags. @throws {CommandError} usage, listing the candidates */
export function chooseTenant(system: System, flags: TenantFlags): ChosenTenant {
  return only(tenantsOf(system), tenantDimensions(flags));
}

/** The only token that matches the flags. @throws {CommandError} usage, listing the candidates */
export function chooseToken(system: System, flags: TokenFlags): ChosenToken {
  const candidates = tenantsOf(system).flatMap((chosen) =>
    chosen.tenant.tokens.map((token) => ({ ...chosen, token })),
  );
  return only(candidates, [
    ...tenantDimensions<ChosenToken>(flags),
    { flag: '--interface', wanted: flags.interface, of: ({ token }) => token.interface },
    { flag: '--scope', wanted: flags.scope, of: ({ token }) => token.scope },
  ]);
}

/** The deployments that match the flags. @throws {CommandError} usage if none does */
export function chooseDeployments(system: System, flags: TenantFlags): ChosenDeployment[] {
  const rows = tenantDimensions(flags).reduce(narrow, tenantsOf(system));
  return [...new Set(rows.map(({ deployment }) => deployment))].map((deployment) => ({
    deployment,
    tenantId: flags.tenant,
  }));
}

/** The key of a chosen tenant. */
export function tenantKeyOf({ deployment, tenant }: ChosenTenant): TenantKey {
  const { environment, platformRegion } = deployment;
  return { environment, platformRegion, tenantId: tenant.tenantId };
}

function tenantsOf(system: System): ChosenTenant[] {
  return system.deployments.flatMap((deployment) =>
    deployment.tenants.map((tenant) => ({ system, deployment, tenant })),
  );
}

function tenantDimensions<T extends ChosenTenant>(flags: TenantFlags): Dimension<T>[] {
  return [
    { flag: '--environment', wanted: flags.environment, of: ({ deployment }) => deployment.environment },
    {
      flag: '--platform-region',
      wanted: flags.platformRegion,
      of: ({ deployment }) => deployment.platformRegion,
    },
    { flag: '--tenant', wanted: flags.tenant, of: ({ tenant }) => tenant.tenantId },
  ];
}

function only<T>(candidates: T[], dimensions: Dimension<T>[]): T {
  const fitting = dimensions.reduce(narrow, candidates);
  if (fitting.length === 0) throw usageError('configuration', 'no tenant', 'at least one');
  for (const { flag, of } of dimensions) {
    const names = namesOf(fitting, of);
    if (names.length > 1) {
      throw usageError(flag, 'nothing', list(names), matchesText(fitting, dimensions));
    }
  }
  return fitting[0]!;
}

/** Lists the candidates by the flags in which they differ. */
function matchesText<T>(fitting: T[], dimensions: Dimension<T>[]): string {
  const differing = dimensions.filter(({ of }) => namesOf(fitting, of).length > 1);
  const lines = fitting.slice(0, LISTED).map((candidate) => {
    return `  ${differing.map(({ flag, of }) => `${flag} ${of(candidate)}`).join(' ')}`;
  });
  const more = fitting.length - LISTED;
  return ['Matches:', ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n');
}

function narrow<T>(candidates: T[], { flag, wanted, of }: Dimension<T>): T[] {
  if (wanted === undefined) return candidates;
  const fitting = candidates.filter((candidate) => of(candidate) === wanted);
  if (fitting.length === 0) throw unknownName(flag, wanted, namesOf(candidates, of));
  return fitting;
}

function unknownName(flag: string, wanted: string, names: string[]): CommandError {
  return usageError(flag, showArgument(wanted), list(names));
}

function namesOf<T>(candidates: T[], of: (candidate: T) => string): string[] {
  return [...new Set(candidates.map(of))];
}

function list(names: string[]): string {
  const more = names.length - LISTED;
  return `${names.slice(0, LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
