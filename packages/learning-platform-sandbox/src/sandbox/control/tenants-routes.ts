import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import {
  type DeploymentKey,
  deploymentKeySchema,
  deploymentKeyView,
  deploymentName,
} from '../deployment-key';
import { seedTenantSchema } from '../seed';
import { brokenTenantRules } from '../seed-rules';
import { type Tenant } from '../tenants';
import { type InputFault } from '../validation';
import { response } from '../openapi/parts';
import { operationsOf, TENANT } from './control-operation';

const addedTenantSchema = deploymentKeySchema.extend(seedTenantSchema.shape).openapi('AddedTenant');
const ids = z.array(z.string());
const tenantSchema = deploymentKeySchema
  .extend({ tenantId: z.string(), archivedContentIds: ids, authorRefs: ids, collaborationIds: ids })
  .openapi('Tenant');
const tenantsSchema = z.strictObject({ tenants: z.array(tenantSchema) }).openapi('Tenants');

export function addTenantRoutes(app: OpenAPIHono, { deployments, tenants }: SandboxState): void {
  const serve = operationsOf(app, 'tenants');
  serve('GET /tenants', {
    operationId: 'listTenants',
    summary: 'List tenants',
    responses: { 200: response('Each tenant with the identifiers that requests need.', tenantsSchema) },
    respond: (c) => c.json({ tenants: tenants.all().map(describeTenant) }),
  });
  serve('POST /tenants', {
    operationId: 'addTenant',
    summary: 'Add a tenant',
    description:
      'Takes the fields of a tenant in the seed. The sandbox must serve its environment and platform region. Its ' +
      'identifier and the ids of its contents must be unused, and contents may refer only to its own users and ' +
      'collaborations. A reset keeps the tenant.',
    body: addedTenantSchema,
    example: {
      ...TENANT,
      tenantId: 'me-south-1_Added',
      authorRefs: ['author-1'],
      contents: [{ status: 'archived', title: 'First aid', authorRef: 'author-1' }],
    },
    brokenRules: (input) => [
      ...unservedDeployment(input, deployments),
      ...brokenTenantRules(deploymentKeyView.safeParse(input).data, input, tenants.takenNames()),
    ],
    responses: { 201: response('The added tenant.', tenantSchema) },
    respond: (c, { environment, platformRegion, ...tenant }) =>
      c.json(describeTenant(tenants.add({ environment, platformRegion }, tenant)), 201),
  });
}

function unservedDeployment(input: unknown, deployments: readonly DeploymentKey[]): InputFault[] {
  const names = deployments.map(deploymentName);
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
