import { GUARANTEED_LIFE_SEC } from '../../contract/lifetimes';
import { ENVIRONMENTS, PLATFORM_REGIONS } from '../../contract/platform';
import { cellName } from '../../contract/token-key';
import { ADDRESS_RULE, addressFault, normalizeAddress, showAddress } from './address';
import { type Outline } from './outline';
import { tenantStackName } from './stack-names';

/** What one rule found: where in the file, what stands there, and what may stand there. */
export interface Finding {
  path: (string | number)[];
  found: unknown;
  allowed: string;
}

type Deployment = NonNullable<Outline['deployments'][number]>;
type Tenant = NonNullable<Deployment['tenants'][number]>;

interface Address {
  path: (string | number)[];
  environment: string;
  value: string;
}

/** Everything that no single field can tell. All findings at once, in the order of the file. */
export function crossFindings(outline: Outline): Finding[] {
  const addresses = listAddresses(outline);
  return [
    ...addressFindings(outline, addresses),
    ...separationFindings(addresses),
    ...deploymentFindings(outline),
    ...tenantFindings(outline),
  ];
}

function listAddresses({ endpoints }: Outline): Address[] {
  return ENVIRONMENTS.flatMap((environment) =>
    PLATFORM_REGIONS.flatMap((platformRegion) =>
      Object.entries(endpoints[environment]?.[platformRegion] ?? {}).flatMap(([field, value]) =>
        value === null
          ? []
          : [{ path: ['endpoints', environment, platformRegion, field], environment, value }],
      ),
    ),
  );
}

function addressFindings({ local }: Outline, addresses: Address[]): Finding[] {
  return addresses.flatMap(({ path, value }) => {
    const fault = addressFault(value, local);
    const rule = local ? 'an https URL on loopback, since the configuration is marked local' : ADDRESS_RULE;
    return fault === undefined ? [] : [{ path, found: `${showAddress(value)} (${fault})`, allowed: rule }];
  });
}

/** The platform's environments use different addresses, so one under the other is a slip with consequences. */
function separationFindings(addresses: Address[]): Finding[] {
  const valid = addresses.filter(({ value }) => URL.canParse(value));
  const within = (inner: Address, outer: Address) =>
    `${normalizeAddress(inner.value)}/`.startsWith(`${normalizeAddress(outer.value)}/`);
  const production = valid.filter(({ environment }) => environment === 'production');
  return valid
    .filter(({ environment }) => environment === 'staging')
    .flatMap((staging) => {
      const same = production.find((other) => within(staging, other) || within(other, staging));
      if (same === undefined) return [];
      const allowed = `an address of staging, apart from that of ${same.path.join('.')}`;
      return [{ path: staging.path, found: showAddress(staging.value), allowed }];
    });
}

function deploymentFindings({ deployments, endpoints, local }: Outline): Finding[] {
  const seen = new Set<string>();
  return deployments.flatMap((deployment, index) => {
    if (deployment === null) return [];
    const { environment, platformRegion, readerCacheSec } = deployment;
    const path = ['deployments', index];
    const cell = cellName(deployment);
    const findings: Finding[] = [];
    if (seen.has(cell)) {
      findings.push({ path, found: cell, allowed: 'each environment × platform region once' });
    }
    seen.add(cell);
    if (endpoints[environment]?.[platformRegion] === undefined) {
      const allowed = `a cell with addresses in endpoints.${environment}.${platformRegion}`;
      findings.push({ path, found: cell, allowed });
    }
    if (readerCacheSec !== undefined && readerCacheSec >= GUARANTEED_LIFE_SEC) {
      const allowed = `less than the ${GUARANTEED_LIFE_SEC} s that a stored token is guaranteed to live`;
      findings.push({ path: [...path, 'readerCacheSec'], found: readerCacheSec, allowed });
    }
    for (const field of ['account', 'region'] as const) {
      if (local && deployment[field] !== undefined) {
        const allowed = 'nothing: a configuration marked local is never deployed to an account';
        findings.push({ path: [...path, field], found: deployment[field], allowed });
      }
    }
    return findings;
  });
}

function tenantFindings({ deployments, endpoints, prefix }: Outline): Finding[] {
  const environmentOf = new Map<string, string>();
  const tenantOfStack = new Map<string, string>();
  return deployments.flatMap((deployment, d) => {
    if (deployment === null) return [];
    const inThisCell = new Set<string>();
    return deployment.tenants.flatMap((tenant, t) => {
      if (tenant === null) return [];
      const path = ['deployments', d, 'tenants', t];
      const findings = tokenFindings(deployment, tenant, endpoints).map((finding) => ({
        ...finding,
        path: [...path, ...finding.path],
      }));
      const { tenantId } = tenant;
      if (tenantId === null) return findings;

      const idFinding = (allowed: string) =>
        findings.push({ path: [...path, 'tenantId'], found: tenantId, allowed });
      if (inThisCell.has(tenantId)) idFinding('each tenant of a deployment once');
      inThisCell.add(tenantId);

      const other = environmentOf.get(tenantId);
      if (other !== undefined && other !== deployment.environment) {
        idFinding(`an id of ${deployment.environment}; this one stands under ${other}, where ids differ`);
      }
      environmentOf.set(tenantId, deployment.environment);

      const stackName = tenantStackName(prefix, deployment, tenantId).toLowerCase();
      const twin = tenantOfStack.get(stackName);
      if (twin !== undefined && twin !== tenantId)
        idFinding(`an id whose stack name differs from that of ${twin}`);
      tenantOfStack.set(stackName, tenantId);
      return findings;
    });
  });
}

/** Paths are relative to the tenant. */
function tokenFindings(
  deployment: Deployment,
  { tokens }: Tenant,
  endpoints: Outline['endpoints'],
): Finding[] {
  const { environment, platformRegion, restore } = deployment;
  const webhooksTokenBaseUrl = endpoints[environment]?.[platformRegion]?.webhooksTokenBaseUrl;
  const seen = new Set<string>();
  const findings = tokens.flatMap((token, k): Finding[] => {
    if (token === null) return [];
    const key = `${token.interface} ${token.scope}`;
    const isRepeated = seen.has(key);
    seen.add(key);
    if (isRepeated) return [{ path: ['tokens', k], found: key, allowed: 'each token of a tenant once' }];
    if (token.interface !== 'webhooks' || webhooksTokenBaseUrl !== undefined) return [];
    const field = `endpoints.${environment}.${platformRegion}.webhooksTokenBaseUrl`;
    return [{ path: ['tokens', k], found: key, allowed: `webhooks tokens where ${field} is given` }];
  });
  if (restore.available && !seen.has('content api/write')) {
    const allowed = 'a list with content api/write, since restore.available is true';
    findings.push({ path: ['tokens'], found: [...seen].join(', '), allowed });
  }
  return findings;
}
