import { CREDENTIAL_KINDS, credentialSecretName } from '../../contract/secret-names';
import { type TenantKey } from '../../contract/token-key';
import { type Finding } from './finding';
import { deploymentKeyOf, type Outline } from './outline';
import { tenantStackName } from './stack-names';

type Deployment = NonNullable<Outline['deployments'][number]>;
type Tenant = NonNullable<Deployment['tenants'][number]>;

/** What is wrong with tenants: with their ids among all deployments, with their tokens and with what they adopt. */
export function tenantFindings(outline: Outline): Finding[] {
  const ids = new TenantIds(outline.prefix);
  return outline.deployments.flatMap((deployment, d) => {
    if (deployment === null) return [];
    return deployment.tenants.flatMap((tenant, t) => {
      if (tenant === null) return [];
      const { tenantId } = tenant;
      const deploymentKey = deploymentKeyOf(deployment);
      const key =
        deploymentKey !== undefined && tenantId !== null ? { ...deploymentKey, tenantId } : undefined;
      const findings = [
        ...tokenFindings(deployment, tenant, outline.endpoints),
        ...(key === undefined
          ? []
          : [...ids.findings(key), ...adoptionFindings(deployment, tenant, outline.prefix, key)]),
      ];
      return findings.map((finding) => ({
        ...finding,
        path: ['deployments', d, 'tenants', t, ...finding.path],
      }));
    });
  });
}

/** The ids that were seen so far. Paths are relative to the tenant. */
class TenantIds {
  private readonly prefix: string;
  private readonly inDeployment = new Set<string>();
  private readonly environmentOf = new Map<string, string>();
  private readonly tenantOfStack = new Map<string, string>();

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  findings(key: TenantKey): Finding[] {
    const { environment, tenantId } = key;
    const findings: Finding[] = [];
    const find = (allowed: string) => findings.push({ path: ['tenantId'], found: tenantId, allowed });

    const place = JSON.stringify([environment, key.platformRegion, tenantId]);
    if (this.inDeployment.has(place)) find('each tenant of a deployment once');
    this.inDeployment.add(place);

    const other = this.environmentOf.get(tenantId);
    if (other !== undefined && other !== environment) {
      find(`an id of ${environment}; this one stands under ${other}, where ids differ`);
    }
    this.environmentOf.set(tenantId, environment);

    const stackName = tenantStackName(this.prefix, key, tenantId).toLowerCase();
    const twin = this.tenantOfStack.get(stackName);
    if (twin !== undefined && twin !== tenantId) find(`an id whose stack name differs from that of ${twin}`);
    this.tenantOfStack.set(stackName, tenantId);
    return findings;
  }
}

function tokenFindings(
  { environment, platformRegion, restore }: Deployment,
  { tokens }: Tenant,
  endpoints: Outline['endpoints'],
): Finding[] {
  const addresses =
    environment !== null && platformRegion !== null ? endpoints[environment]?.[platformRegion] : undefined;
  const seen = new Set<string>();
  const findings = tokens.flatMap((token, k): Finding[] => {
    if (token === null) return [];
    const key = `${token.interface} ${token.scope}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated) return [{ path: ['tokens', k], found: key, allowed: 'each token of a tenant once' }];
    // A deployment without any address is a finding of its own.
    if (token.interface !== 'webhooks' || addresses === undefined) return [];
    if (addresses.webhooksTokenBaseUrl !== undefined) return [];
    const field = `endpoints.${environment}.${platformRegion}.webhooksTokenBaseUrl`;
    return [{ path: ['tokens', k], found: key, allowed: `webhooks tokens where ${field} is given` }];
  });
  if (restore.available && !seen.has('content api/write')) {
    const allowed = 'a list with content api/write, since restore.available is true';
    findings.push({ path: ['tokens'], found: [...seen].join(', '), allowed });
  }
  return findings;
}

/** Rights go by name, so what is adopted has to have the name that would be created, where it would be. */
function adoptionFindings(
  { account, region }: Deployment,
  { adopt }: Tenant,
  prefix: string,
  key: TenantKey,
): Finding[] {
  const adopted = { 'client-credentials': adopt.clientCredentials, 'api-key': adopt.apiKey };
  return CREDENTIAL_KINDS.flatMap((kind) => {
    const arn = adopted[kind];
    if (arn === undefined) return [];
    const [, , , arnRegion, arnAccount, , nameAndSuffix = ''] = arn.split(':');
    const name = credentialSecretName(prefix, key, kind);
    const isRight =
      nameAndSuffix.slice(0, -7) === name &&
      (account ?? arnAccount) === arnAccount &&
      (region ?? arnRegion) === arnRegion;
    if (isRight) return [];
    const allowed = `the ARN of a secret named ${name} in the deployment’s account and region`;
    return [{ path: ['adopt', kind === 'api-key' ? 'apiKey' : 'clientCredentials'], found: arn, allowed }];
  });
}
