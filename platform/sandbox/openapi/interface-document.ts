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
    'One environment in one platform region. The real platform has a separate address for each base: content, content ' +
    'tokens, webhooks and webhooks tokens.',
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

/** Describes the platform's interface as the sandbox serves it. */
export function interfaceDocument(): OpenApiDocument {
  const { contentToken, webhooksToken, content, webhooks } = belowDeployment();
  return openApiDocument({
    title: 'Learning platform (sandbox)',
    description:
      'The interface of the learning platform. It follows the platform’s specification, and marks what it assumes where ' +
      'the specification is silent. Parts that are coming soon or provisional have x-provisional. Every request must use ' +
      'HTTPS. Requests that match no operation of this document get 404 with an Error; below the webhooks base they are ' +
      'authenticated first. Faults injected through the control interface change these answers.',
    servers: [DEPLOYMENT_SERVER],
    tags: [
      { name: 'tokens', description: 'OAuth 2.0 client credentials, in JSON.' },
      { name: 'keys', description: 'Permanent API keys, in GraphQL.' },
      { name: 'content', description: 'Contents with their lifecycle and items.' },
      {
        name: 'webhooks',
        description: 'The base of the webhooks interface. The specification does not show its operations.',
      },
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
            'Preferred. An access token for this interface, environment and platform region. The roles listed for an ' +
            'operation are the scopes that allow it.',
        },
        basic: {
          type: 'http',
          scheme: 'basic',
          description:
            'Tenant identifier and API key. Gives full access to the content interface of that tenant.',
        },
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'A site administrator’s session: the Authorization header of the browser’s requests.',
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
      summary: 'Check access to the webhooks interface',
      description:
        'Answers 204 if the token is accepted. Assumed: the specification shows no operation of this interface.',
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

/** The base paths, relative to the deployment's. */
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
