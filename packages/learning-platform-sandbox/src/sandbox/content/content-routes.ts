import { createRoute, type RouteConfig, z } from '@hono/zod-openapi';
import { body, type Headers, refusal, response, TOO_LARGE, UNEXPECTED_ERROR } from '../openapi/parts';
import { CONTENT_OPERATIONS, type ContentOperation } from '../operations';
import { actingUserSchema } from './acting-user';
import { catalogueSchema, LEGACY_STATUSES, recordSchema } from './views';
import { authorSchema, creationSchema, updateSchema } from './write-request';

const AUTHOR_REF = '507f191e810c19729de860ea';
const COLLABORATION_ID = '507f191e810c19729de860eb';

const CHALLENGES: Headers = {
  'WWW-Authenticate': {
    required: true,
    description: 'The authentication schemes to try (RFC 6750, section 3; RFC 7617).',
    schema: { type: 'string' },
  },
};
/** @see platform specification, "Errors" */
const BAD_REQUEST = {
  400: refusal(400, 'Bad Request: the body is not JSON, or a parameter is invalid. Assumed.'),
};
const COMMON_RESPONSES = {
  401: refusal(401, 'Unauthorized: authentication is missing or invalid.', CHALLENGES),
  403: refusal(
    403,
    'Forbidden: the caller is not permitted. The scope of the token does not allow this operation.',
    CHALLENGES,
  ),
  502: refusal(
    502,
    'Bad Gateway: a service the operation depends on failed; a write did not modify the content.',
  ),
  default: UNEXPECTED_ERROR,
};
const WRITE_RESPONSES = {
  ...COMMON_RESPONSES,
  ...BAD_REQUEST,
  413: TOO_LARGE,
  415: refusal(415, 'Unsupported Media Type: Content-Type is not application/json.'),
  422: refusal(
    422,
    'Unprocessable Content: the request fails validation (for example, an unknown or foreign authorRef or ' +
      'collaborationId). Nothing was written.',
  ),
};
const MISSING = { 404: refusal(404, 'Not Found: the content does not exist.') };
const WRONG_STATE = {
  409: refusal(409, 'Conflict: the content is not in a state that allows this operation.'),
};

const CATALOGUE = response('The catalogue view. Its fields are assumed.', catalogueSchema);
const ID = z.object({
  id: z.string().describe('Identifier of the content: 24 hexadecimal digits (assumed).'),
});
const AUTHOR = body(authorSchema, { authorRef: AUTHOR_REF });

const contentRoute = <Route extends RouteConfig>(access: 'read' | 'write', route: Route) =>
  createRoute({
    tags: ['content'],
    security: [{ bearer: [`api/${access}`] }, { bearer: ['api/all'] }, { basic: [] }] as Record<
      string,
      string[]
    >[],
    ...route,
  });

/** Archive and restore are assumed, and may change. */
const provisionalRoute = <Operation extends 'archive' | 'restore'>(
  operation: Operation,
  status: string,
  described: { summary: string; description: string },
) =>
  contentRoute('write', {
    operationId: `${operation}Content`,
    method: 'post',
    path: `/contents/{id}/${operation}`,
    summary: described.summary,
    description: `${described.description} Answers 404 while unavailable (control: POST /restore).`,
    'x-provisional': true,
    parameters: ['X-Author-Ref', 'X-Collaboration-Id'].map((name) => ({
      name,
      in: 'header' as const,
      description:
        'Provisional: the acting user, if it moves from the body to headers. Read only when control ' +
        'sets actingUserIn to header (POST /restore); the body is then optional. The name is assumed, and control can ' +
        'change it (actingUserHeaders).',
      schema: { type: 'string' as const, minLength: 1 },
    })),
    request: {
      params: ID,
      body: body(
        actingUserSchema,
        { authorRef: AUTHOR_REF, collaborationId: COLLABORATION_ID },
        'The acting user: at least one of the two fields. With only a collaborationId, the change is recorded against a ' +
          'system account.',
      ),
    },
    responses: {
      200: response(`The ${status} content.`, recordSchema),
      ...WRITE_RESPONSES,
      ...MISSING,
      ...WRONG_STATE,
    },
  });

/** The operations of the content interface. Those of archive and restore are assumed. */
export const CONTENT_ROUTES = {
  create: contentRoute('write', {
    operationId: 'createContent',
    method: 'post',
    path: '/contents',
    summary: 'Create a content',
    description:
      'Creates a draft and processes its items one by one; the content is ready when all of them are ok. The author is ' +
      'the acting user. If a collaboration is given, it owns the content. All fields except the acting user are assumed.',
    request: {
      body: body(creationSchema, {
        authorRef: AUTHOR_REF,
        collaborationId: COLLABORATION_ID,
        title: 'First aid',
        tags: ['safety'],
        items: [{ type: 'video', summary: 'Bandages' }],
      }),
    },
    responses: {
      201: response('The catalogue view. Its fields are assumed.', catalogueSchema, {
        Location: { required: true, description: 'Path of the created content.', schema: { type: 'string' } },
      }),
      ...WRITE_RESPONSES,
    },
  }),
  update: contentRoute('write', {
    operationId: 'updateContent',
    method: 'patch',
    path: '/contents/{id}',
    summary: 'Change a content',
    description:
      'Changes the given fields of a content that is not archived. Given items replace all existing ones. All fields ' +
      'except the acting user are assumed.',
    request: {
      params: ID,
      body: body(updateSchema, { authorRef: AUTHOR_REF, title: 'First aid at work' }),
    },
    responses: { 200: CATALOGUE, ...WRITE_RESPONSES, ...MISSING, ...WRONG_STATE },
  }),
  delete: contentRoute('write', {
    operationId: 'deleteContent',
    method: 'delete',
    path: '/contents/{id}',
    summary: 'Delete a content',
    description: 'Works in any state. A deleted content appears only in lists that ask for deleted ones.',
    request: { params: ID, body: AUTHOR },
    responses: { 204: response('The content is deleted.'), ...WRITE_RESPONSES, ...MISSING },
  }),
  publish: contentRoute('write', {
    operationId: 'publishContent',
    method: 'post',
    path: '/contents/{id}/publish',
    summary: 'Publish a content',
    description: 'Publishes a content that is ready.',
    request: { params: ID, body: AUTHOR },
    responses: { 200: CATALOGUE, ...WRITE_RESPONSES, ...MISSING, ...WRONG_STATE },
  }),
  list: contentRoute('read', {
    operationId: 'listContent',
    method: 'get',
    path: '/contents',
    summary: 'List contents',
    description:
      'Lists all contents except deleted ones, or those with one of the given statuses (older vocabulary).',
    parameters: [
      {
        name: 'statuses',
        in: 'query',
        description:
          'Separate values with commas, or repeat the parameter. created covers draft and ready (assumed).',
        schema: { type: 'array', items: { enum: [...LEGACY_STATUSES] } },
        style: 'form',
        explode: false,
      },
    ],
    responses: {
      200: response('An array of catalogue views, without pagination (assumed).', z.array(catalogueSchema)),
      ...COMMON_RESPONSES,
      ...BAD_REQUEST,
    },
  }),
  get: contentRoute('read', {
    operationId: 'getContent',
    method: 'get',
    path: '/contents/{id}',
    summary: 'Get a content',
    description:
      'Returns the catalogue view, which has a different shape from the record that restore and archive return.',
    request: { params: ID },
    responses: { 200: CATALOGUE, ...COMMON_RESPONSES, ...MISSING },
  }),
  archive: provisionalRoute('archive', 'archived', {
    summary: 'Archive a content (provisional)',
    description: 'Method, path and status are assumed.',
  }),
  restore: provisionalRoute('restore', 'published', {
    summary: 'Restore an archived content (coming soon, provisional)',
    description:
      'Publishes an archived content again, whatever its status before it was archived. A content in any other status is ' +
      'not modified, and the answer is 409. Method, path and status are assumed.',
  }),
} satisfies Record<ContentOperation, RouteConfig>;

const PATTERNS = CONTENT_OPERATIONS.map((operation) => {
  const { method, path } = CONTENT_ROUTES[operation];
  return {
    operation,
    method: method.toUpperCase(),
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  };
});

/** The content operation with this method and path (relative to the base), if any. */
export function contentOperationOf(method: string, path: string): ContentOperation | undefined {
  return PATTERNS.find((route) => route.method === method && route.pattern.test(path))?.operation;
}
