import { CONTROL_PATH } from '../addresses';
import { controlOperations } from './control-operations';
import { controlSchemas } from './control-schemas';
import { openApiDocument, type OpenApiDocument, ORIGIN } from './openapi-document';

/** Describes the sandbox's control interface. */
export function controlDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Learning platform sandbox: control',
    description:
      'Controls the sandbox: does what support and administrators do, injects faults, and moves time forward. It needs no ' +
      'authentication, because the sandbox listens on the loopback interface only. Pages of other sites get 403. Bodies ' +
      'are JSON, whatever the Content-Type. Requests that match no operation of this document get 404 with an Error.',
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
    operations: controlOperations(),
    components: { schemas: controlSchemas() },
  });
}
