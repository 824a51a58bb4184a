import { deploymentPaths } from '../addresses';
import { type DeploymentKey, deploymentName } from '../deployment-key';
import { BEARER_CHALLENGE, empty, refusal, UNEXPECTED_ERROR } from './answer-parts';
import { contentOperations } from './content-operations';
import {
  openApiDocument,
  type OpenApiDocument,
  ORIGIN,
  type Server,
  type ServedOperation,
} from './openapi-document';
import { interfaceSchemas } from './interface-schemas';
import { keyGeneration } from './key-operation';
import { tokenRequest } from './token-operation';

const DEPLOYMENT_KEY: DeploymentKey = { environment: 'staging', platformRegion: 'global' };
const DEPLOYMENT_SERVER: Server = {
  url: '{origin}/{environment}/{platformRegion}',
  description:
    'One environment in one platform region. Of the platform itself, what is below {origin} up to the operation is an ' +
    'address of its own for each of the token bases, the content base and the webhooks base.',
  variables: {
    origin: ORIGIN,
    environment: { default: 'staging', enum: ['staging', 'production'] },
    platformRegion: {
      default: 'global',
      enum: ['global', 'mea'],
      description: 'global: all regions except MEA.',
    },
  },
};

/** The platform's interface, as the sandbox serves it. */
export function interfaceDocument(): OpenApiDocument {
  const { contentToken, webhooksToken, content, webhooks } = belowDeployment();
  return openApiDocument({
    title: 'Learning platform (sandbox)',
    description:
      'The interface of the learning platform: what its specification shows, and what is assumed where that is silent. ' +
      'Each assumption is marked as one; what is coming soon or provisional has x-provisional. Every request has to use ' +
      'HTTPS. What is no operation of this document is answered with 404 and an Error, below the webhooks base after ' +
      'authentication. The sandbox answers differently where it is told to (faults of its control).',
    servers: [DEPLOYMENT_SERVER],
    tags: [
      { name: 'tokens', description: 'OAuth 2.0 client credentials, in JSON.' },
      { name: 'keys', description: 'Permanent API keys, in GraphQL.' },
      { name: 'content', description: 'Contents with their lifecycle and items.' },
      { name: 'webhooks', description: 'The base of the webhooks interface; its operations are not shown.' },
    ],
    operations: [
      tokenRequest(contentToken, 'content', 'ContentTokenRequest', 'api/read'),
      tokenRequest(webhooksToken, 'webhooks', 'WebhooksTokenRequest', 'api/webhooks'),
      keyGeneration(),
      ...contentOperations(content),
      webhooksBase(webhooks),
    ],
    components: {
      schemas: interfaceSchemas(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'Preferred. An access token of this interface, environment and platform region. A role is a scope it may carry.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'Tenant identifier and API key. Full access to the content interface of that tenant.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'A site administrator’s session: the Authorization value of the browser’s requests.',
        },
        correlation: {
          type: 'apiKey',
          in: 'header',
          name: 'Correlation-id',
          description: 'The session’s X-Correlation-Id, a UUID.',
        },
      },
    },
  });
}

function webhooksBase(path: string): ServedOperation {
  return {
    route: { method: 'GET', path },
    operation: {
      operationId: 'reachWebhooks',
      summary: 'Reach the webhooks interface',
      description: 'Tells whether a token is accepted. Assumed: no operation of this interface is shown.',
      tags: ['webhooks'],
      security: [{ bearer: ['api/webhooks'] }, { bearer: ['api/all'] }],
      responses: {
        204: empty('The token is accepted.'),
        401: refusal(401, 'Unauthorized: authentication is missing or invalid.', {
          'WWW-Authenticate': BEARER_CHALLENGE,
        }),
        default: UNEXPECTED_ERROR,
      },
    },
  };
}

/** The base paths below that of a deployment. */
function belowDeployment() {
  const { length } = `/${deploymentName(DEPLOYMENT_KEY)}`;
  const { content, contentToken, webhooks, webhooksToken } = deploymentPaths(DEPLOYMENT_KEY);
  const below = (path: string) => path.slice(length);
  return {
    content: below(content),
    contentToken: below(contentToken),
    webhooks: below(webhooks),
    webhooksToken: below(webhooksToken),
  };
}
