import { type DeploymentKey, type TenantKey } from '../../core/tokens/token-key';
import { AdoptedSecrets, adoptionIssues, policySizeIssues } from './adoption-rules';
import { type ConfigurationIssue } from './configuration-issue';
import { DEFAULT_PREFIX } from '../../core/secrets/secret-names';
import { deploymentStackName, tenantStackName } from '../../core/deployment/stack-names';
import {
  addressesIn,
  wellFormedKeyOf,
  type WellFormedConfiguration,
  type WellFormedDeployment,
  type WellFormedTenant,
} from './well-formed';

/** Violated rules about tenants: their ids across all deployments, their tokens, and the secrets they adopt. */
export function tenantIssues({
  prefix = DEFAULT_PREFIX,
  deployments = [],
  endpoints,
}: WellFormedConfiguration): ConfigurationIssue[] {
  const ids = new TenantIds(
    prefix,
    deployments.flatMap((deployment) => (deployment && wellFormedKeyOf(deployment)) ?? []),
  );
  const adopted = new AdoptedSecrets();
  return deployments.flatMap((deployment, deploymentIndex) => {
    if (deployment === undefined) return [];
    const policySize = policySizeIssues(deployment, prefix);
    const ofTenants = (deployment.tenants ?? []).flatMap((tenant, tenantIndex) => {
      if (tenant === undefined) return [];
      const { tenantId } = tenant;
      const deploymentKey = wellFormedKeyOf(deployment);
      const key =
        deploymentKey !== undefined && tenantId !== undefined ? { ...deploymentKey, tenantId } : undefined;
      const issues = [
        ...tokenIssues(deployment, tenant, endpoints),
        ...apiKeyIssues(tenant),
        ...adopted.issues(tenant, `deployments[${deploymentIndex}].tenants[${tenantIndex}]`),
        ...(key === undefined
          ? []
          : [...ids.issues(key), ...adoptionIssues(deployment, tenant, prefix, key)]),
      ];
      return issues.map((issue) => ({
        ...issue,
        path: ['deployments', deploymentIndex, 'tenants', tenantIndex, ...issue.path],
      }));
    });
    return [
      ...ofTenants,
      ...policySize.map((issue) => ({ ...issue, path: ['deployments', deploymentIndex, ...issue.path] })),
    ];
  });
}

/** The tenant ids seen so far. Paths are relative to the tenant. */
class TenantIds {
  private readonly prefix: string;
  private readonly tenantKeys = new Set<string>();
  private readonly environmentOf = new Map<string, string>();
  private readonly tenantOfStack = new Map<string, string>();
  private readonly deploymentStacks: ReadonlySet<string>;

  constructor(prefix: string, deployments: readonly DeploymentKey[]) {
    this.prefix = prefix;
    this.deploymentStacks = new Set(deployments.map((key) => deploymentStackName(prefix, key)));
  }

  issues(key: TenantKey): ConfigurationIssue[] {
    const { environment, tenantId } = key;
    const issues: ConfigurationIssue[] = [];
    const report = (allowed: string) => issues.push({ path: ['tenantId'], found: tenantId, allowed });

    const keyText = JSON.stringify([key.issuer, environment, key.platformRegion, tenantId]);
    if (this.tenantKeys.has(keyText)) report('each tenant only once per deployment');
    this.tenantKeys.add(keyText);

    // Another issuer's ids may be the same in all of its environments.
    const other = key.issuer === undefined ? this.environmentOf.get(tenantId) : undefined;
    if (other !== undefined && other !== environment) {
      report(`a tenant id of ${environment}; this one is also used for ${other}, where ids differ`);
    }
    if (key.issuer === undefined) this.environmentOf.set(tenantId, environment);

    const stackName = tenantStackName(this.prefix, key, tenantId).toLowerCase();
    const twin = this.tenantOfStack.get(stackName);
    if (twin !== undefined && twin !== tenantId)
      report(`an id with a different stack name from that of ${twin}`);
    if (this.deploymentStacks.has(stackName)) report(`an id with a different stack name from ${stackName}`);
    this.tenantOfStack.set(stackName, tenantId);
    return issues;
  }
}

function apiKeyIssues({ apiKey, adopt }: WellFormedTenant): ConfigurationIssue[] {
  if (apiKey !== false || adopt?.apiKey === undefined) return [];
  const allowed = 'nothing with apiKey false: the tenant has no API key';
  return [{ path: ['adopt', 'apiKey'], found: adopt.apiKey, allowed }];
}

function tokenIssues(
  deployment: WellFormedDeployment,
  { tokens = [] }: WellFormedTenant,
  endpoints: WellFormedConfiguration['endpoints'],
): ConfigurationIssue[] {
  const { environment, platformRegion, restore } = deployment;
  const addresses = addressesIn(endpoints, deployment);
  const seen = new Set<string>();
  const issues = tokens.flatMap((token, k): ConfigurationIssue[] => {
    if (token?.interface === undefined || token.scope === undefined) return [];
    const key = `${token.interface} ${token.scope}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated) return [{ path: ['tokens', k], found: key, allowed: 'each token only once per tenant' }];
    // A deployment without addresses is reported separately.
    if (token.interface !== 'webhooks' || addresses === undefined) return [];
    if (addresses.webhooksTokenBaseUrl !== undefined) return [];
    const field = `endpoints.${environment}.${platformRegion}.webhooksTokenBaseUrl`;
    return [{ path: ['tokens', k], found: key, allowed: `webhooks tokens only with ${field}` }];
  });
  if (restore?.available && !seen.has('content api/write')) {
    const allowed = 'a list that includes content api/write, because restore.available is true';
    issues.push({ path: ['tokens'], found: [...seen].join(', '), allowed });
  }
  return issues;
}
