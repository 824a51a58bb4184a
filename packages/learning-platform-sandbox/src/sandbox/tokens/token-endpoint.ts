import { createRoute, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { Hono } from 'hono';
import { isJsonMediaType } from '../json-body';
import { type DeploymentKey, type Interface } from '../deployment-key';
import { body, NO_STORE, response, TOO_LARGE, UNEXPECTED_ERROR } from '../openapi/parts';
import { ACCESS_TOKEN_LIFETIME_SEC } from './issued-tokens';
import { isSameOwner } from './client-credentials';
import {
  readTokenRequest,
  requireKnownScope,
  TOKEN_ERRORS,
  TokenRequestError,
  tokenRequestSchema,
} from './token-request';

const NO_CACHE = { description: 'Always no-cache.', schema: { const: 'no-cache' } };
const HEADERS = {
  'Cache-Control': { ...NO_STORE, required: true },
  Pragma: { ...NO_CACHE, required: true },
};
const tokenSchema = z
  .strictObject({
    access_token: z.string(),
    expires_in: z.literal(ACCESS_TOKEN_LIFETIME_SEC),
    token_type: z.literal('Bearer'),
  })
  .openapi('Token');
const errorSchema = z
  .strictObject({ error: z.enum(TOKEN_ERRORS), error_description: z.string() })
  .openapi('TokenError');

export function tokenRoute(tokenInterface: Interface) {
  const name = tokenInterface === 'content' ? 'Content' : 'Webhooks';
  const example = {
    scope: tokenInterface === 'content' ? 'api/read' : 'api/webhooks',
    grant_type: 'client_credentials',
    client_id: 'CLIENT_ID',
    client_secret: 'CLIENT_SECRET',
  };
  return createRoute({
    operationId: `request${name}Token`,
    method: 'post',
    path: '/oauth2/token/{tenantId}',
    summary: `Request an access token for the ${tokenInterface} interface`,
    description:
      'The token is valid only for this tenant, interface, environment and scope. Errors follow RFC 6749, section 5.2 ' +
      '(assumed).',
    tags: ['tokens'],
    request: {
      params: z.object({ tenantId: z.string().describe('Tenant identifier.') }),
      body: body(tokenRequestSchema(tokenInterface).openapi(`${name}TokenRequest`), example),
    },
    responses: {
      200: response('An access token, valid for 3600 s.', tokenSchema, HEADERS),
      400: response('invalid_request, unsupported_grant_type or invalid_scope.', errorSchema, HEADERS),
      401: response(
        'invalid_client: not a valid credential of this tenant and environment.',
        errorSchema,
        HEADERS,
      ),
      413: TOO_LARGE,
      default: { ...UNEXPECTED_ERROR, headers: { 'Cache-Control': NO_STORE, Pragma: NO_CACHE } },
    },
  });
}

/**
 * The token endpoint of one interface in one deployment.
 *
 * It checks the request format, then the grant type, the client, and the scope. An unknown tenant gets the same answer as a wrong secret.
 * @see platform specification, "1. Request an access token"; RFC 6749, sections 4.4, 5.1 and 5.2
 */
export function tokenEndpoint(
  deploymentKey: DeploymentKey,
  tokenInterface: Interface,
  state: SandboxState,
): Hono {
  const endpoint = new Hono();

  endpoint.post(tokenRoute(tokenInterface).getRoutingPath(), async (c) => {
    c.header('Cache-Control', 'no-store');
    c.header('Pragma', 'no-cache');
    if (!isJsonMediaType(c.req.header('content-type'))) {
      throw new TokenRequestError('invalid_request', 'Content-Type is not application/json');
    }
    const request = readTokenRequest(await c.req.text());
    const addressedOwner = { ...deploymentKey, tenantId: c.req.param('tenantId') };
    const credentialOwner = state.credentials.ownerOf(request.client_id, request.client_secret);
    if (!credentialOwner || !isSameOwner(credentialOwner, addressedOwner)) {
      throw new TokenRequestError('invalid_client', 'no live credential of this tenant and environment');
    }
    requireKnownScope(request.scope, tokenInterface);
    const grant = {
      ...addressedOwner,
      clientId: request.client_id,
      interface: tokenInterface,
      scope: request.scope,
    };
    return c.json({
      access_token: state.tokens.issue(grant, state.clock.nowMs()),
      expires_in: ACCESS_TOKEN_LIFETIME_SEC,
      token_type: 'Bearer',
    });
  });

  endpoint.onError((error, c) => {
    if (!(error instanceof TokenRequestError)) throw error;
    const status = error.code === 'invalid_client' ? 401 : 400;
    return c.json({ error: error.code, error_description: error.message }, status);
  });
  return endpoint;
}
