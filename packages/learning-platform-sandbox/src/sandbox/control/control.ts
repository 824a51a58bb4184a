import { OpenAPIHono } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { CONTROL_PATH } from '../addresses';
import { RefusedRequestError } from '../errors';
import { documentInfo, ORIGIN } from '../openapi/document-info';
import { interfaceDocument } from '../openapi/interface-document';
import { InvalidInputError } from '../validation';
import { clockRoutes } from './clock-routes';
import { contentRoutes } from './contents-routes';
import { credentialRoutes } from './credentials-routes';
import { faultRoutes } from './faults-routes';
import { refuseForeignPages } from './foreign-pages';
import { issuerRoutes } from './issuers-routes';
import { observationRoutes } from './observation-routes';
import { resetRoutes } from './reset-routes';
import { settingRoutes } from './settings-routes';
import { tenantRoutes } from './tenants-routes';

/**
 * The control interface of the sandbox. It needs no authentication, because the sandbox listens on the loopback interface only,
 * and pages of other sites are refused with 403.
 *
 * Bodies are JSON. Invalid input gets 400, whose message lists each field with the value found and what is allowed; unknown
 * resources get 404. Both use the platform's error body. Faults and counters do not cover control requests.
 */
export function control(state: SandboxState): OpenAPIHono {
  const app = new OpenAPIHono();
  app.use(refuseForeignPages);
  clockRoutes(app, state);
  contentRoutes(app, state);
  credentialRoutes(app, state);
  faultRoutes(app, state);
  issuerRoutes(app, state);
  observationRoutes(app, state, { interface: interfaceDocument, control: () => controlDocument(app) });
  resetRoutes(app, state);
  settingRoutes(app, state);
  tenantRoutes(app, state);

  app.onError((error) => {
    throw error instanceof InvalidInputError ? new RefusedRequestError(400, error.message) : error;
  });
  return app;
}

/** Describes the control interface in OpenAPI. @param app of {@link control} */
export function controlDocument(app: OpenAPIHono) {
  return app.getOpenAPI31Document({
    ...documentInfo(
      'Learning platform sandbox: control',
      'Controls the sandbox: does what support and administrators do, injects faults, and moves time forward. It needs no ' +
        'authentication, because the sandbox listens on the loopback interface only. Pages of other sites get 403. Bodies ' +
        'are JSON, whatever the Content-Type. Requests that match no operation of this document get 404 with an Error.',
    ),
    servers: [
      {
        url: `{origin}${CONTROL_PATH}`,
        description: 'The sandbox on this machine.',
        variables: { origin: ORIGIN },
      },
    ],
    tags: [
      { name: 'faults', description: 'Fault injection.' },
      { name: 'time', description: 'The clock, and reset.' },
      { name: 'tenants', description: 'Customers of the platform.' },
      { name: 'contents', description: 'Contents as stored.' },
      { name: 'credentials', description: 'Issue and revoke credentials, API keys, sessions and tokens.' },
      { name: 'settings', description: 'Behavior that the platform’s specification leaves open.' },
      { name: 'observation', description: 'Addresses, requests, changes and OpenAPI documents.' },
    ],
  });
}
