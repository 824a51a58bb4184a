import { OpenAPIHono } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { CONTROL_PATH } from '../addresses';
import { RefusedRequestError } from '../errors';
import { documentInfo, ORIGIN } from '../openapi/document-info';
import { interfaceDocument } from '../openapi/interface-document';
import { InvalidInputError } from '../validation';
import { addClockRoutes } from './clock-routes';
import { addContentRoutes } from './contents-routes';
import { addCredentialRoutes } from './credentials-routes';
import { addFaultRoutes } from './faults-routes';
import { refuseForeignPages } from './foreign-pages';
import { addIssuerRoutes } from './issuers-routes';
import { addObservationRoutes } from './observation-routes';
import { addResetRoutes } from './reset-routes';
import { addSettingRoutes } from './settings-routes';
import { addTenantRoutes } from './tenants-routes';

/**
 * The control interface of the sandbox. It needs no authentication, because the sandbox listens on the loopback interface only,
 * and pages of other sites are refused with 403.
 *
 * Bodies are JSON. Invalid input gets 400, whose message lists each field with the value found and what is allowed; unknown
 * resources get 404. Both use the platform's error body. Injected faults do not affect control requests, and
 * they are not counted.
 */
export function controlInterface(state: SandboxState): OpenAPIHono {
  const app = new OpenAPIHono();
  app.use(refuseForeignPages);
  addClockRoutes(app, state);
  addContentRoutes(app, state);
  addCredentialRoutes(app, state);
  addFaultRoutes(app, state);
  addIssuerRoutes(app, state);
  addObservationRoutes(app, state, { interface: interfaceDocument, control: () => controlDocument(app) });
  addResetRoutes(app, state);
  addSettingRoutes(app, state);
  addTenantRoutes(app, state);

  // The sandbox's own onError writes the response.
  app.onError((error) => {
    throw error instanceof InvalidInputError ? new RefusedRequestError(400, error.message) : error;
  });
  return app;
}

/** Describes the control interface in OpenAPI. @param app of {@link controlInterface} */
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
