import { type DeploymentFile, type DeploymentTenant } from '../deployment/deployment-file';
import { shortList } from './describe';
import { type FindingDetails, type RuleContext } from './finding';
import { tokenName } from '../tokens/token-key';

/** The finding for a deployment that differs from the configuration; empty if it does not. */
export function configurationFindings(
  deployed: DeploymentFile,
  configured: DeploymentFile,
  { commands }: RuleContext,
): FindingDetails[] {
  const differences = [
    ...settingDifferences(deployed, configured),
    ...tenantDifferences(deployed.tenants, configured.tenants),
  ];
  if (differences.length === 0) return [];
  return [
    {
      kind: 'configuration_differs',
      severity: 'warning',
      message: `The deployment differs from the configuration: ${differences.join('; ')}.`,
      meaning: 'The functions use what is deployed, and added tenants and tokens have no secrets yet.',
      repair: { command: commands.deploy() },
    },
  ];
}

function settingDifferences(deployed: DeploymentFile, configured: DeploymentFile): string[] {
  const deployedLeaves = leavesOf({ ...deployed, tenants: [] });
  const configuredLeaves = leavesOf({ ...configured, tenants: [] });
  return [...new Set([...deployedLeaves.keys(), ...configuredLeaves.keys()])].flatMap((path) => {
    const [before, after] = [deployedLeaves.get(path), configuredLeaves.get(path)];
    return before === after ? [] : [`${path}: deployed ${shown(before)}, configured ${shown(after)}`];
  });
}

function tenantDifferences(
  deployed: readonly DeploymentTenant[],
  configured: readonly DeploymentTenant[],
): string[] {
  const deployedById = new Map(deployed.map((tenant) => [tenant.tenantId, tenant]));
  const configuredIds = new Set(configured.map(({ tenantId }) => tenantId));
  const both = configured.filter(({ tenantId }) => deployedById.has(tenantId));
  const changed = (part: (tenant: DeploymentTenant) => string) =>
    both.filter((tenant) => part(tenant) !== part(deployedById.get(tenant.tenantId)!));
  return [
    named(
      'tenants added',
      [...configuredIds].filter((id) => !deployedById.has(id)),
    ),
    named(
      'tenants removed',
      [...deployedById.keys()].filter((id) => !configuredIds.has(id)),
    ),
    named(
      'tokens changed for',
      changed(tokensText).map(({ tenantId }) => tenantId),
    ),
    named(
      'adopted secrets changed for',
      changed(adoptedText).map(({ tenantId }) => tenantId),
    ),
  ].flat();
}

function tokensText({ tokens }: DeploymentTenant): string {
  return tokens.map(tokenName).sort().join(', ');
}

function adoptedText({ adopted }: DeploymentTenant): string {
  return JSON.stringify([adopted.clientCredentials, adopted.apiKey]);
}

function named(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`${what} ${shortList([...names].sort())}`];
}

type Leaf = string | number | boolean | undefined;

/** Each primitive value by its path, such as `platform.contentBaseUrl`. */
function leavesOf(value: object, path: readonly string[] = []): Map<string, Leaf> {
  return new Map(
    Object.entries(value).flatMap(([name, part]: [string, object | Leaf]): [string, Leaf][] => {
      if (typeof part === 'object') return [...leavesOf(part, [...path, name])];
      return [[[...path, name].join('.'), part]];
    }),
  );
}

function shown(value: Leaf): string {
  return value === undefined ? 'none' : String(value);
}
