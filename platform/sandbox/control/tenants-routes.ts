import { Hono } from 'hono';
import { type DeploymentKey, deploymentName, deploymentKeySchema } from '../deployment-key';
import { seedTenantSchema } from '../seed';
import { brokenTenantRules } from '../seed-rules';
import { type Tenant, type Tenants } from '../tenants';
import { type InputFault } from '../validation';
import { readInput } from './read-input';

/** What the control of tenants changes. */
export interface TenantState {
  readonly cells: readonly DeploymentKey[];
  readonly tenants: Tenants;
}

const deploymentKeyView = deploymentKeySchema.strip();
/** The body of `POST /tenants`. */
export const addedTenantSchema = deploymentKeySchema.extend(seedTenantSchema.shape);

/**
 * - `GET /tenants` → `{tenants}`, each with the names that requests need
 * - `POST /tenants` a tenant as in a seed, and its deployment → 201, as above. It stays through a reset, with its contents reset.
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
  return [{ path: ['platformRegion'], message: `the deployments of this sandbox are ${names.join(', ')}` }];
}

function describeTenant({ environment, platformRegion, tenantId, ...tenant }: Tenant) {
  const { authorRefs, collaborationIds, contents } = tenant;
  const archived = contents.existing().filter(({ status }) => status === 'archived');
  const archivedContentIds = archived.map(({ id }) => id);
  return { environment, platformRegion, tenantId, archivedContentIds, authorRefs, collaborationIds };
}
