import { type Context, Hono } from 'hono';
import { type SandboxState } from '../sandbox-state';
import { RefusedRequestError } from '../errors';
import { type SandboxVariables } from '../interception';
import { isJsonMediaType } from '../json-body';
import { type ContentOperation } from '../operations';
import { type DeploymentKey } from '../deployment-key';
import { type Tenant } from '../tenants';
import { type Access, authenticate } from './authentication';
import { CONTENT_ROUTES } from './content-routes';
import { MAX_CONTENTS } from './contents';
import { type WriteOperation } from './lifecycle';
import { blankContent, type Content } from './records';
import { catalogueView, contentRecord, LEGACY_STATUSES, legacyStatus, type LegacyStatus } from './views';
import { commitWrite } from './commit-write';
import { readActingUserInHeaders, readWrite, type WriteRequest } from './write-request';

interface ContentEnv {
  Variables: SandboxVariables;
}
type ContentContext = Context<ContentEnv>;
interface WriteSteps {
  readonly contentBefore?: (tenant: Tenant, request: WriteRequest, at: string) => Content;
  readonly read?: (body: string) => WriteRequest;
}

/**
 * The content interface of one deployment.
 *
 * Writes are checked in this order: authentication (401), scope (403), content type (415), body (400, 422), existence of the
 * content (404), references (422), state (409). Nothing is awaited after the body is read, so a write is atomic.
 * @see platform specification, "Endpoints" 3 and 4, "Errors"
 */
export function contentInterface(deploymentKey: DeploymentKey, state: SandboxState): Hono<ContentEnv> {
  const app = new Hono<ContentEnv>();
  const serve = (
    operation: ContentOperation,
    answer: (c: ContentContext) => Response | Promise<Response>,
  ) => {
    const route = CONTENT_ROUTES[operation];
    app.on(route.method.toUpperCase(), route.getRoutingPath(), answer);
  };
  const tenantOf = (c: ContentContext, access: Access) =>
    authenticate(c.req.header('authorization'), deploymentKey, access, state);

  serve('list', (c) => {
    const tenant = tenantOf(c, 'read');
    const statuses = readStatuses(c.req.queries('statuses'));
    c.get('requireDependency')('store');
    const contents = tenant.contents.all().filter((content) => statuses.includes(legacyStatus(content)));
    return c.json(contents.map(catalogueView));
  });

  serve('get', (c) => {
    const tenant = tenantOf(c, 'read');
    c.get('requireDependency')('store');
    return c.json(catalogueView(addressedContent(tenant, c)));
  });

  const write = async (
    c: ContentContext,
    operation: WriteOperation,
    {
      contentBefore = (tenant) => addressedContent(tenant, c),
      read = (body) => readWrite(body, bodySchemaOf(operation)),
    }: WriteSteps = {},
  ): Promise<Content> => {
    const tenant = tenantOf(c, 'write');
    if (!isJsonMediaType(c.req.header('content-type'))) {
      throw new RefusedRequestError(415, 'Content-Type is not application/json');
    }
    const request = read(await c.req.text());
    return commitWrite(
      {
        operation,
        tenant,
        ...request,
        contentBefore: (at) => contentBefore(tenant, request, at),
        requireDependency: c.get('requireDependency'),
      },
      state,
    );
  };

  serve('create', async (c) => {
    const content = await write(c, 'create', { contentBefore: newContent });
    c.header('Location', `${c.req.path}/${content.id}`);
    return c.json(catalogueView(content), 201);
  });
  serve('update', async (c) => c.json(catalogueView(await write(c, 'update'))));
  serve('publish', async (c) => c.json(catalogueView(await write(c, 'publish'))));
  serve('delete', async (c) => {
    await write(c, 'delete');
    return c.body(null, 204);
  });

  for (const operation of ['archive', 'restore'] as const) {
    serve(operation, async (c) => {
      const { available, actingUserIn, actingUserHeaders } = state.restore.value;
      if (!available) return c.notFound();
      const readHeaders = (body: string) =>
        readActingUserInHeaders(body, {
          authorRef: c.req.header(actingUserHeaders.authorRef),
          collaborationId: c.req.header(actingUserHeaders.collaborationId),
        });
      const read = actingUserIn === 'header' ? readHeaders : undefined;
      return c.json(contentRecord(await write(c, operation, { read }), state.clock.nowMs()));
    });
  }

  return app;
}

function bodySchemaOf(operation: WriteOperation) {
  return CONTENT_ROUTES[operation].request.body.content['application/json'].schema;
}

/** @throws {RefusedRequestError} 422 if the tenant has {@link MAX_CONTENTS} contents */
function newContent(tenant: Tenant, { actingUser }: WriteRequest, at: string): Content {
  if (tenant.contents.isFull())
    throw new RefusedRequestError(422, `a tenant can have at most ${MAX_CONTENTS} contents`);
  // The body of create requires an author.
  return blankContent(actingUser.authorRef!, at);
}

/** @throws {RefusedRequestError} 404 if the tenant has no such content, even if another tenant has */
function addressedContent(tenant: Tenant, c: ContentContext): Content {
  const content = tenant.contents.find(c.req.param('id') ?? '');
  if (!content) throw new RefusedRequestError(404, 'the content does not exist');
  return content;
}

/** Reads `?statuses=created,archived` or a repeated parameter. Default: all statuses except deleted. */
function readStatuses(values: string[] | undefined): readonly LegacyStatus[] {
  const statuses = values?.flatMap((value) => value.split(','));
  if (statuses?.some((status) => !isLegacyStatus(status))) {
    throw new RefusedRequestError(400, `statuses: allowed are ${LEGACY_STATUSES.join(', ')}`);
  }
  return statuses?.filter(isLegacyStatus) ?? LEGACY_STATUSES.filter((status) => status !== 'deleted');
}

function isLegacyStatus(value: string): value is LegacyStatus {
  return (LEGACY_STATUSES as readonly string[]).includes(value);
}
