import { type Context, Hono } from 'hono';
import { RefusedRequestError } from '../errors';
import { isJsonMediaType } from '../media-type';
import { type Cell, type Seed } from '../seed';
import { type Tenant } from '../tenants';
import { actingUserInBody, actingUserInHeaders, requireOwnReferences } from './acting-user';
import { type AuditTrail, type Change } from './audit-trail';
import { type Access, authenticate, type AuthenticationState } from './authentication';
import { changeLifecycle } from './lifecycle';
import {
  catalogueView,
  type Content,
  contentRecord,
  LEGACY_STATUSES,
  legacyStatus,
  type LegacyStatus,
} from './records';

/** What the content interfaces of all cells share. */
export interface ContentInterfaceState extends AuthenticationState {
  readonly audit: AuditTrail;
}
/** The provisional parts of the interface. */
export type ContentInterfaceOptions = Pick<Seed, 'restoreAvailable' | 'actingUserIn'>;

/**
 * The content interface of one cell.
 *
 * A write is checked in this order: authentication (401), scope (403), content type (415), body (400, 422), existence of
 * the content (404), references (422), state (409). Nothing waits after the body is read, so checks and change are one step.
 * @see platform specification, "Endpoints" 3 and 4, "Errors"
 */
export function contentInterface(
  cell: Cell,
  { restoreAvailable, actingUserIn }: ContentInterfaceOptions,
  state: ContentInterfaceState,
): Hono {
  const app = new Hono();
  const tenantOf = (c: Context, access: Access) =>
    authenticate(c.req.header('authorization'), cell, access, state);

  app.get('/contents', (c) => {
    const contents = [...tenantOf(c, 'read').contents.values()];
    const statuses = readStatuses(c.req.queries('statuses'));
    return c.json(
      contents.filter((content) => statuses?.includes(legacyStatus(content)) ?? true).map(catalogueView),
    );
  });

  app.get('/contents/:id', (c) => c.json(catalogueView(findContent(tenantOf(c, 'read'), c.req.param('id')))));

  const write = (operation: Change['operation']) =>
    app.post(`/contents/:id/${operation}`, async (c) => {
      const tenant = tenantOf(c, 'write');
      if (!isJsonMediaType(c.req.header('content-type'))) {
        throw new RefusedRequestError(415, 'Content-Type is not application/json');
      }
      const body = await c.req.text();
      const actingUser =
        actingUserIn === 'body'
          ? actingUserInBody(body)
          : actingUserInHeaders((name) => c.req.header(name), body);
      const content = findContent(tenant, c.req.param('id'));
      requireOwnReferences(actingUser, tenant);
      changeLifecycle(operation, tenant, content, actingUser, state);
      return c.json(contentRecord(content));
    });
  write('archive');
  if (restoreAvailable) write('restore');

  return app;
}

/** The content of another tenant does not exist for this one. */
function findContent(tenant: Tenant, id: string): Content {
  const content = tenant.contents.get(id);
  if (!content) throw new RefusedRequestError(404, 'the content does not exist');
  return content;
}

/** `?statuses=created,archived` or the parameter several times; undefined without a filter. */
function readStatuses(values: string[] | undefined): readonly LegacyStatus[] | undefined {
  const statuses = values?.flatMap((value) => value.split(','));
  if (statuses?.some((status) => !isLegacyStatus(status))) {
    throw new RefusedRequestError(400, `statuses: allowed are ${LEGACY_STATUSES.join(', ')}`);
  }
  return statuses?.filter(isLegacyStatus);
}

function isLegacyStatus(value: string): value is LegacyStatus {
  return (LEGACY_STATUSES as readonly string[]).includes(value);
}
