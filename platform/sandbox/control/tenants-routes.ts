import { Hono } from 'hono';
import { type Cell, cellName, cellSchema } from '../cell';
import { seedTenantSchema } from '../seed';
import { brokenTenantRules } from '../seed-rules';
import { type Tenant, type Tenants } from '../tenants';
import { type InputFault } from '../validation';
import { readInput } from './read-input';

/** What the control of tenants changes. */
export interface TenantState {
  readonly cells: readonly Cell[];
  readonly tenants: Tenants;
}

const cellView = cellSchema.strip();
/** The body of `POST /tenants`. */
export const addedTenantSchema = cellSchema.extend(seedTenantSchema.shape);

/**
 * - `GET /tenants` → `{tenants}`, each with the names that requests need
 * - `POST /tenants` a tenant as in a seed, and its cell → 201, as above. It stays through a reset, with its contents reset.
 */
export function tenantRoutes({ cells, tenants }: TenantState): Hono {
  const app = new Hono();
  app.get('/tenants', (c) => c.json({ tenants: tenants.all().map(describeTenant) }));

  app.post('/tenants', async (c) => {
    const brokenRules = (input: unknown) => [
      ...unservedCell(input, cells),
      ...brokenTenantRules(cellView.safeParse(input).data, input, tenants.takenNames()),
    ];
    const { environment, platformRegion, ...tenant } = await readInput(c, addedTenantSchema, brokenRules);
    return c.json(describeTenant(tenants.add({ environment, platformRegion }, tenant)), 201);
  });
  return app;
}

function unservedCell(input: unknown, cells: readonly Cell[]): InputFault[] {
  const names = cells.map(cellName);
  const { data: cell } = cellView.safeParse(input);
  if (!cell || names.includes(cellName(cell))) return [];
  return [{ path: ['platformRegion'], message: `the cells of this sandbox are ${names.join(', ')}` }];
}

function describeTenant({ environment, platformRegion, tenantId, ...tenant }: Tenant) {
  const { authorRefs, collaborationIds, contents } = tenant;
  const archived = contents.existing().filter(({ status }) => status === 'archived');
  const archivedContentIds = archived.map(({ id }) => id);
  return { environment, platformRegion, tenantId, archivedContentIds, authorRefs, collaborationIds };
}
