import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { deploymentPaths } from '../addresses';
import { CONTENT_ROUTES } from '../content/content-routes';
import { type DeploymentKey, deploymentName } from '../deployment-key';
import { KEY_ROUTE } from '../tenant-service/tenant-service';
import { tokenRoute } from '../tokens/token-endpoint';
import { WEBHOOKS_ROUTE } from '../webhooks/webhooks-interface';
import { documentInfo, ORIGIN } from './document-info';

const DEPLOYMENT_KEY: DeploymentKey = { environment: 'staging', platformRegion: 'global' };
const DEPLOYMENT_SERVER = {
  url: '{origin}/{environment}/{platformRegion}',
  description:
    'One environment in one platform region. The real platform has a separate address for each base: content, content ' +
    'tokens, webhooks and webhooks tokens.',
  variables: {
    origin: ORIGIN,
    environment: { default: 'staging', enum: ['staging', 'production'] as ['staging', 'production'] },
    platformRegion: {
      default: 'global',
      enum: ['global', 'mea'],
      description: 'global: all regions except MEA.',
    },
  },
};

const SECURITY_SCHEMES = {
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
    description: 'Tenant identifier and API key. Gives full access to the content interface of that tenant.',
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
} as const;

export function interfaceDocument() {
  const { length } = `/${deploymentName(DEPLOYMENT_KEY)}`;
  const { content, contentToken, webhooks, webhooksToken } = deploymentPaths(DEPLOYMENT_KEY);
  const app = new OpenAPIHono();
  const add = (base: string, routes: readonly RouteConfig[]) => {
    for (const route of routes) {
      app.openAPIRegistry.registerPath({
        ...route,
        path: (base.slice(length) + route.path).replace(/\/$/, ''),
      });
    }
  };
  add(contentToken, [tokenRoute('content')]);
  add(webhooksToken, [tokenRoute('webhooks')]);
  add('', [KEY_ROUTE]);
  add(content, Object.values(CONTENT_ROUTES));
  add(webhooks, [WEBHOOKS_ROUTE]);
  for (const [name, scheme] of Object.entries(SECURITY_SCHEMES)) {
    app.openAPIRegistry.registerComponent('securitySchemes', name, scheme);
  }
  return app.getOpenAPI31Document({
    ...documentInfo(
      'Learning platform (sandbox)',
      'The interface of the learning platform. It follows the platform’s specification, and marks what it assumes where ' +
        'the specification is silent. Parts that are coming soon or provisional have x-provisional. Every request must use ' +
        'HTTPS. Requests that match no operation of this document get 404 with an Error; below the webhooks base they are ' +
        'authenticated first. Faults injected through the control interface change these answers.',
    ),
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
  });
}
