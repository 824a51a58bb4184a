import { createRoute, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { type Context, Hono } from 'hono';
import { tenantServicePath } from '../addresses';
import { RefusedRequestError } from '../errors';
import { isJsonMediaType, parseJsonBody } from '../json-body';
import { type DeploymentKey, type TenantReference } from '../deployment-key';
import { ORIGIN } from '../openapi/document-info';
import {
  BEARER_CHALLENGE,
  body,
  NO_STORE,
  refusal,
  response,
  TOO_LARGE,
  UNEXPECTED_ERROR,
} from '../openapi/parts';
import { executeDocument, graphqlResultSchema } from './key-generation';
import { isCorrelated } from './sessions';

const HEADERS = { 'Cache-Control': { ...NO_STORE, required: true } };
const querySchema = z.object({ query: z.string().describe('A GraphQL document.') }).openapi('KeyGeneration');

export const KEY_ROUTE = createRoute({
  operationId: 'generateApiKey',
  method: 'post',
  path: '/tenants',
  servers: [
    {
      url: `{origin}${tenantServicePath('staging').replace(/staging$/, '{service}')}`,
      description: 'The tenant service of an environment. It covers all platform regions.',
      variables: { origin: ORIGIN, service: { default: 'staging', enum: ['staging', 'live'] } },
    },
  ],
  summary: 'Generate a permanent API key',
  description:
    'GraphQL over HTTP, with introspection. Only site administrators can generate keys. Older keys stay valid. The ' +
    'statuses of refusals are assumed.',
  tags: ['keys'],
  security: [{ session: [], correlation: [] }],
  request: {
    body: body(querySchema, {
      query:
        'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }',
    }),
  },
  responses: {
    200: response(
      'The key, or errors if the query is not valid GraphQL or asks for unknown fields.',
      graphqlResultSchema,
      HEADERS,
    ),
    400: refusal(400, 'Bad Request: the body is not JSON, or has no query.', HEADERS),
    401: refusal(401, 'Unauthorized: the session or its correlation id is missing or invalid.', {
      ...HEADERS,
      'WWW-Authenticate': BEARER_CHALLENGE,
    }),
    403: refusal(403, 'Forbidden: the user is not a site administrator.', HEADERS),
    413: TOO_LARGE,
    415: refusal(415, 'Unsupported Media Type: Content-Type is not application/json.', HEADERS),
    default: { ...UNEXPECTED_ERROR, headers: { 'Cache-Control': NO_STORE } },
  },
});

/**
 * The tenant service of one environment, for all platform regions. A generated key belongs to the tenant of the session.
 *
 * Checks the session (401), then the administrator (403), the content type (415), and the format of the body (400). GraphQL
 * answers the rest with 200. Fields of the body other than `query` are ignored.
 * @see platform specification, "2. Generate a permanent API key"
 */
export function tenantService(environment: DeploymentKey['environment'], state: SandboxState): Hono {
  const service = new Hono();

  service.post(KEY_ROUTE.getRoutingPath(), async (c) => {
    c.header('Cache-Control', 'no-store');
    const tenant = requireAdministrator(c, environment, state);
    if (!isJsonMediaType(c.req.header('content-type'))) {
      throw new RefusedRequestError(415, 'Content-Type is not application/json');
    }
    const query = readQuery(await c.req.text());
    return c.json(executeDocument(query, () => state.apiKeys.generate(tenant, state.clock.nowMs())));
  });
  return service;
}

/**
 * Returns the tenant of the session, if its user is an administrator.
 * @throws {RefusedRequestError} 401 without a session of this environment, 403 if the user is not an administrator
 */
function requireAdministrator(
  c: Context,
  environment: DeploymentKey['environment'],
  { sessions, clock }: SandboxState,
): TenantReference {
  const session = sessions.find(c.req.header('authorization'), clock.nowMs());
  if (session?.tenant.environment !== environment || !isCorrelated(session, c.req.header('correlation-id'))) {
    throw new RefusedRequestError(401, 'the session or its correlation id is missing or invalid', {
      'WWW-Authenticate': 'Bearer realm="tenants"',
    });
  }
  if (!session.isAdministrator) {
    throw new RefusedRequestError(403, 'only site administrators can generate keys');
  }
  return session.tenant;
}

function readQuery(body: string): string {
  const { data } = querySchema.safeParse(parseJsonBody(body));
  if (!data) throw new RefusedRequestError(400, 'query: a string is required');
  return data.query;
}
