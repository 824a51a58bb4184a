import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { type Context } from 'hono';
import { deploymentKeyView, tenantReferenceSchema } from '../deployment-key';
import { storedView, storedSchema } from '../content/views';
import { RefusedRequestError } from '../errors';
import { contentStateFields, MATCHING_ITEMS, requireMatchingItems } from '../seed-content';
import { type Tenant } from '../tenants';
import { response } from '../openapi/parts';
import { notFound, operationsOf, TENANT } from './control-operation';

const MAX_AT_ONCE = 10_000;
const contentsSchema = tenantReferenceSchema
  .extend({
    ...contentStateFields,
    count: z.int().min(1).max(MAX_AT_ONCE).default(1).describe('How many contents to add.'),
  })
  .superRefine(requireMatchingItems)
  .openapi('AddedContents', MATCHING_ITEMS);
const contentIdsSchema = z.strictObject({ contentIds: z.array(z.string()) }).openapi('ContentIds');
const storedContentsSchema = z.strictObject({ contents: z.array(storedSchema) }).openapi('Contents');

const tenantInPath = z.object({
  environment: z.string().describe('For example staging.'),
  platformRegion: z.string().describe('For example mea.'),
  tenantId: z.string().describe('For example me-south-1_StagingMe.'),
});
const contentInPath = tenantInPath.extend({
  contentId: z.string().describe('For example 507f1f77bcf86cd799439011.'),
});

export function addContentRoutes(app: OpenAPIHono, { clock, tenants }: SandboxState): void {
  const serve = operationsOf(app, 'contents');
  const tenantOf = (c: Context): Tenant => {
    const { data: deploymentKey } = deploymentKeyView.safeParse(c.req.param());
    const tenant = deploymentKey && tenants.find(deploymentKey, c.req.param('tenantId') ?? '');
    if (!tenant) throw new RefusedRequestError(404, 'no such tenant');
    return tenant;
  };

  serve('POST /contents', {
    operationId: 'addContents',
    summary: 'Add contents to a tenant',
    description: 'All added contents have the same status and items. The next reset removes them.',
    body: contentsSchema,
    example: { ...TENANT, status: 'archived', count: 3 },
    responses: { 201: response('The ids of the added contents.', contentIdsSchema) },
    respond: (c, { tenantId, environment, platformRegion, count, ...seed }) => {
      const tenant = tenants.require({ environment, platformRegion }, tenantId);
      return c.json({ contentIds: tenants.addContents(tenant, seed, count) }, 201);
    },
  });
  serve('GET /contents/{environment}/{platformRegion}/{tenantId}', {
    operationId: 'listStoredContents',
    summary: 'List all stored contents of a tenant',
    params: tenantInPath,
    responses: {
      200: response('All contents, deleted ones last.', storedContentsSchema),
      404: notFound('tenant'),
    },
    respond: (c) => {
      const nowMs = clock.nowMs();
      const stored = tenantOf(c).contents.all();
      return c.json({ contents: stored.map((content) => storedView(content, nowMs)) });
    },
  });
  serve('GET /contents/{environment}/{platformRegion}/{tenantId}/{contentId}', {
    operationId: 'getStoredContent',
    summary: 'Get a stored content',
    params: contentInPath,
    responses: {
      200: response('The content, with its current status.', storedSchema),
      404: notFound('tenant or content'),
    },
    respond: (c) => {
      const content = tenantOf(c).contents.findStored(c.req.param('contentId') ?? '');
      if (!content) throw new RefusedRequestError(404, 'no such content');
      return c.json(storedView(content, clock.nowMs()));
    },
  });
}
