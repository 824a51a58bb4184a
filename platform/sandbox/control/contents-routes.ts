import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { deploymentKeySchema, tenantReferenceSchema } from '../deployment-key';
import { type SandboxClock } from '../sandbox-clock';
import { storedView } from '../content/views';
import { RefusedRequestError } from '../errors';
import { contentStateFields, requireMatchingItems } from '../seed-content';
import { type Tenant, type Tenants } from '../tenants';
import { readInput } from './read-input';

/** State used by the contents routes. */
export interface ContentState {
  readonly clock: SandboxClock;
  readonly tenants: Tenants;
}

const MAX_AT_ONCE = 10_000;
/** The body of `POST /contents`. */
export const contentsSchema = tenantReferenceSchema
  .extend({ ...contentStateFields, count: z.int().min(1).max(MAX_AT_ONCE).default(1) })
  .superRefine(requireMatchingItems);
const deploymentKeyView = deploymentKeySchema.strip();

/**
 * - `POST /contents` with a tenant key, `status?` (archived), `items?` (three that fit), `count?` (1, at most 10,000) → 201
 *   `{contentIds}`: adds contents until the next reset
 * - `GET /contents/{environment}/{platformRegion}/{tenantId}` → `{contents}`: all stored contents, including deleted ones
 * - `GET /contents/{environment}/{platformRegion}/{tenantId}/{contentId}` → one of them
 */
export function contentRoutes({ clock, tenants }: ContentState): Hono {
  const app = new Hono();
  const tenantOf = (c: Context): Tenant => {
    const { data: deploymentKey } = deploymentKeyView.safeParse(c.req.param());
    const tenant = deploymentKey && tenants.find(deploymentKey, c.req.param('tenantId') ?? '');
    if (!tenant) throw new RefusedRequestError(404, 'no such tenant');
    return tenant;
  };

  app.post('/contents', async (c) => {
    const { tenantId, environment, platformRegion, count, ...seed } = await readInput(c, contentsSchema);
    const tenant = tenants.require({ environment, platformRegion }, tenantId);
    return c.json({ contentIds: tenants.addContents(tenant, seed, count) }, 201);
  });

  app.get('/contents/:environment/:platformRegion/:tenantId', (c) => {
    const nowMs = clock.nowMs();
    const stored = tenantOf(c).contents.all();
    return c.json({ contents: stored.map((content) => storedView(content, nowMs)) });
  });
  app.get('/contents/:environment/:platformRegion/:tenantId/:contentId', (c) => {
    const content = tenantOf(c).contents.findStored(c.req.param('contentId'));
    if (!content) throw new RefusedRequestError(404, 'no such content');
    return c.json(storedView(content, clock.nowMs()));
  });
  return app;
}
