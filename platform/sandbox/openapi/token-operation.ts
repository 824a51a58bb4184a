import { type Interface } from '../deployment-key';
import { TOKEN_ROUTE } from '../operations';
import { body, json, NO_STORE, TOO_LARGE, UNEXPECTED_ERROR } from './answer-parts';
import { type Answer, type Header, type ServedOperation } from './openapi-document';

const NO_CACHE: Header = { description: 'Always no-cache.', schema: { const: 'no-cache' } };

/** The token endpoint of an interface. @param base its path, relative to the deployment's */
export function tokenRequest(base: string, of: Interface, schema: string, scope: string): ServedOperation {
  const uncached = { 'Cache-Control': NO_STORE, Pragma: NO_CACHE };
  const headers = {
    'Cache-Control': { ...NO_STORE, required: true },
    Pragma: { ...NO_CACHE, required: true },
  } as const;
  const refused = (description: string, error: string, reason: string): Answer => ({
    description,
    headers,
    content: json('TokenError', { error, error_description: reason }),
  });
  return {
    route: { method: TOKEN_ROUTE.method, path: base + TOKEN_ROUTE.path },
    operation: {
      operationId: of === 'content' ? 'requestContentToken' : 'requestWebhooksToken',
      summary: `Request an access token for the ${of} interface`,
      description:
        'The token is valid only for this tenant, interface, environment and scope. Errors follow RFC 6749, section 5.2 ' +
        '(assumed).',
      tags: ['tokens'],
      parameters: [
        {
          name: 'tenantId',
          in: 'path',
          required: true,
          description: 'Tenant identifier.',
          schema: { type: 'string' },
        },
      ],
      requestBody: body(schema, {
        scope,
        grant_type: 'client_credentials',
        client_id: 'CLIENT_ID',
        client_secret: 'CLIENT_SECRET',
      }),
      responses: {
        200: {
          description: 'An access token, valid for 3600 s.',
          headers,
          content: json('Token', { access_token: 'ACCESS_TOKEN', expires_in: 3600, token_type: 'Bearer' }),
        },
        400: refused(
          'invalid_request, unsupported_grant_type or invalid_scope.',
          'invalid_scope',
          'the scope is not one of this interface',
        ),
        401: refused(
          'invalid_client: not a valid credential of this tenant and environment.',
          'invalid_client',
          'no live credential of this tenant and environment',
        ),
        413: TOO_LARGE,
        default: { ...UNEXPECTED_ERROR, headers: uncached },
      },
    },
  };
}
