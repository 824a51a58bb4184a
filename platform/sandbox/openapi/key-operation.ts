import { tenantServicePath } from '../addresses';
import { KEY_GENERATION_ROUTE } from '../operations';
import { BEARER_CHALLENGE, body, json, NO_STORE, refusal, TOO_LARGE, UNEXPECTED_ERROR } from './answer-parts';
import { ORIGIN, type ServedOperation, type Server } from './openapi-document';

const TENANT_SERVER: Server = {
  url: `{origin}${tenantServicePath('staging').replace(/staging$/, '{service}')}`,
  description: 'The tenant service of an environment. It covers all platform regions.',
  variables: { origin: ORIGIN, service: { default: 'staging', enum: ['staging', 'live'] } },
};

/** The operation of the tenant service. */
export function keyGeneration(): ServedOperation {
  const headers = { 'Cache-Control': { ...NO_STORE, required: true } } as const;
  return {
    route: KEY_GENERATION_ROUTE,
    server: TENANT_SERVER,
    operation: {
      operationId: 'generateApiKey',
      summary: 'Generate a permanent API key',
      description:
        'GraphQL over HTTP, with introspection. Only site administrators can generate keys. Older keys stay valid. The ' +
        'statuses of refusals are assumed.',
      tags: ['keys'],
      security: [{ session: [], correlation: [] }],
      requestBody: body('KeyGeneration', {
        query:
          'mutation { generateApiKey(tokenType: "permanent", services: ["api-service"]) { validUntil apiKey } }',
      }),
      responses: {
        200: {
          description: 'The key, or errors if the query is not valid GraphQL or asks for unknown fields.',
          headers,
          content: json('GraphqlAnswer', {
            data: { generateApiKey: { validUntil: '2027-01-31T12:00:00.000Z', apiKey: 'API_KEY' } },
          }),
        },
        400: refusal(400, 'Bad Request: the body is not JSON, or has no query.', headers),
        401: refusal(401, 'Unauthorized: the session or its correlation id is missing or invalid.', {
          ...headers,
          'WWW-Authenticate': BEARER_CHALLENGE,
        }),
        403: refusal(403, 'Forbidden: the user is not a site administrator.', headers),
        413: TOO_LARGE,
        415: refusal(415, 'Unsupported Media Type: Content-Type is not application/json.', headers),
        default: { ...UNEXPECTED_ERROR, headers: { 'Cache-Control': NO_STORE } },
      },
    },
  };
}
