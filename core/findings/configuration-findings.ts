import { type DeploymentFile, type DeploymentTenant } from '../deployment/deployment-file';
import { tokenName } from './describe';
import { type Found, type RuleContext } from './finding';

/** At most this many names are listed per difference; the rest are counted. */
const MAX_NAMES = 5;

/** The finding for a deployment that differs from the configuration; empty if it does not. */
export function configurationFindings(
  deployed: DeploymentFile,
  configured: DeploymentFile,
  { commands }: RuleContext,
): Found[] {
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
  const [were, are] = [leavesOf({ ...deployed, tenants: [] }), leavesOf({ ...configured, tenants: [] })];
  return [...new Set([...were.keys(), ...are.keys()])]
    .filter((path) => were.get(path) !== are.get(path))
    .map((path) => `${path}: deployed ${shown(were.get(path))}, configured ${shown(are.get(path))}`);
}

function tenantDifferences(
  deployed: readonly DeploymentTenant[],
  configured: readonly DeploymentTenant[],
): string[] {
  const were = new Map(deployed.map((tenant) => [tenant.tenantId, tenant]));
  const are = new Map(configured.map((tenant) => [tenant.tenantId, tenant]));
  const both = [...are.values()].filter(({ tenantId }) => were.has(tenantId));
  const changed = (part: (tenant: DeploymentTenant) => string) =>
    both.filter((tenant) => part(tenant) !== part(were.get(tenant.tenantId)!));
  return [
    named(
      'tenants added',
      [...are.keys()].filter((id) => !were.has(id)),
    ),
    named(
      'tenants removed',
      [...were.keys()].filter((id) => !are.has(id)),
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
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  return [`${what} ${[...names].sort().slice(0, MAX_NAMES).join(', ')}${more}`];
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
