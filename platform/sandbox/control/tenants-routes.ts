import { Hono } from 'hono';
import { type DeploymentKey, deploymentName, deploymentKeySchema } from '../deployment-key';
import { seedTenantSchema } from '../seed';
import { brokenTenantRules } from '../seed-rules';
import { type Tenant, type Tenants } from '../tenants';
import { type InputFault } from '../validation';
import { readInput } from './read-input';

/** State used by the tenants routes. */
export interface TenantState {
  readonly cells: readonly DeploymentKey[];
  readonly tenants: Tenants;
}

const deploymentKeyView = deploymentKeySchema.strip();
/** The body of `POST /tenants`. */
export const addedTenantSchema = deploymentKeySchema.extend(seedTenantSchema.shape);

/**
 * - `GET /tenants` → `{tenants}`, each with the identifiers that requests need
 * - `POST /tenants` with a tenant of a seed and its deployment → 201, the tenant. A reset keeps it and restores its contents
 */
export function tenantRoutes({ cells, tenants }: TenantState): Hono {
  const app = new Hono();
  app.get('/tenants', (c) => c.json({ tenants: tenants.all().map(describeTenant) }));

  app.post('/tenants', async (c) => {
    const brokenRules = (input: unknown) => [
      ...unservedDeployment(input, cells),
      ...brokenTenantRules(deploymentKeyView.safeParse(input).data, input, tenants.takenNames()),
    ];
    const { environment, platformRegion, ...tenant } = await readInput(c, addedTenantSchema, brokenRules);
    return c.json(describeTenant(tenants.add({ environment, platformRegion }, tenant)), 201);
  });
  return app;
}

function unservedDeployment(input: unknown, cells: readonly DeploymentKey[]): InputFault[] {
  const names = cells.map(deploymentName);
  const { data: deploymentKey } = deploymentKeyView.safeParse(input);
  if (!deploymentKey || names.includes(deploymentName(deploymentKey))) return [];
  return [{ path: ['platformRegion'], message: `a deployment of this sandbox: ${names.join(', ')}` }];
}

/** What control shows of a tenant: the identifiers that requests need. */
export function describeTenant({ environment, platformRegion, tenantId, ...tenant }: Tenant) {
  const { authorRefs, collaborationIds, contents } = tenant;
  const archived = contents.existing().filter(({ status }) => status === 'archived');
  const archivedContentIds = archived.map(({ id }) => id);
  return { environment, platformRegion, tenantId, archivedContentIds, authorRefs, collaborationIds };
}
