import { type Check, must } from '../check';
import {
  expectStatus,
  expectSuccess,
  readWith,
  requestedToken,
  tokenRequest,
  webhooksRequest,
} from '../requests';
import { type DeploymentKey, type ControlledTenant } from '../tenant';

const ROWS: Readonly<Record<string, DeploymentKey>> = {
  'row-staging-all-regions-except-mea': { environment: 'staging', platformRegion: 'global' },
  'row-staging-mea': { environment: 'staging', platformRegion: 'mea' },
  'row-production-all-regions-except-mea': { environment: 'production', platformRegion: 'global' },
  'row-production-mea': { environment: 'production', platformRegion: 'mea' },
};
const DEPLOYMENT_KEYS = Object.values(ROWS);
const INTERFACES = ['content', 'webhooks'] as const;

/** Each deployment has its own addresses, which serve only its own tenants and tokens. */
export const ADDRESS_CHECKS: readonly Check[] = [
  ...Object.entries(ROWS).map(([row, deploymentKey]): Check => ({
    name: `${deploymentKey.environment}/${deploymentKey.platformRegion} has its own token base for each interface`,
    clauses: [`address-placeholders/${row}`, 'oauth-2-0-client-credentials/rule-1'],
    needs: 'control',
    run: (any) => examineTokenBases(any, deploymentKey),
  })),
  {
    name: 'a token of one deployment gets 401 in every other',
    clauses: ['oauth-2-0-client-credentials/rule-1'],
    needs: 'control',
    async run(tenant) {
      const token = await requestedToken(tenant, 'content', 'api/all');
      const webhooksToken = await requestedToken(tenant, 'webhooks', 'api/webhooks');
      for (const other of await othersThan(tenant, tenant)) {
        expectStatus(await readWith(other, `Bearer ${token}`), 401);
        expectStatus(await webhooksRequest(other, `Bearer ${webhooksToken}`), 401);
      }
    },
  },
  {
    name: 'staging and production have different addresses, and each region has a content base',
    clauses: ['address-placeholders/paragraph-1'],
    needs: 'control',
    async run(tenant) {
      const tenants = await Promise.all(
        DEPLOYMENT_KEYS.map((deploymentKey) => tenant.inDeployment(deploymentKey)),
      );
      const of = (environment: DeploymentKey['environment']) =>
        tenants.filter((other) => other.environment === environment);
      const live = of('production').flatMap(addressesOf);
      const shared = of('staging')
        .flatMap(addressesOf)
        .filter((address) => live.includes(address));
      must(shared.length === 0, 'staging and production share an address');
      for (const other of tenants) {
        expectStatus(await readWith(other, `Bearer ${await other.token('api/read')}`), 200);
      }
    },
  },
];

function addressesOf({ addresses }: ControlledTenant): string[] {
  const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl } =
    addresses;
  return [contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl, tenantServiceUrl];
}

/** Checks that the token bases of a deployment accept its credential, and those of other deployments do not. */
async function examineTokenBases(any: ControlledTenant, deploymentKey: DeploymentKey): Promise<void> {
  const tenant = await any.inDeployment(deploymentKey);
  const others = await othersThan(any, deploymentKey);
  for (const of of INTERFACES) {
    expectSuccess(await tokenRequest(tenant, of));
    for (const { addresses } of others) {
      const where = { addresses, tenantId: tenant.tenantId };
      const { status } = await tokenRequest(tenant, of, {}, where);
      must(status >= 400, `a token base of ${of} serves another environment or platform region`);
    }
  }
}

function othersThan(tenant: ControlledTenant, deploymentKey: DeploymentKey): Promise<ControlledTenant[]> {
  const others = DEPLOYMENT_KEYS.filter(
    ({ environment, platformRegion }) =>
      environment !== deploymentKey.environment || platformRegion !== deploymentKey.platformRegion,
  );
  return Promise.all(others.map((other) => tenant.inDeployment(other)));
}
