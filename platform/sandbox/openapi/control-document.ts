import { CONTROL_PATH } from '../addresses';
import { controlOperations } from './control-operations';
import { controlSchemas } from './control-schemas';
import { openApiDocument, type OpenApiDocument, ORIGIN } from './openapi-document';

/** The sandbox's own interface, by which it is told what to do and asked what it saw. */
export function controlDocument(): OpenApiDocument {
  return openApiDocument({
    title: 'Learning platform sandbox: control',
    description:
      'Plays support, the administrator, the platform’s own progress, bad luck and time. It asks for no authentication, as ' +
      'the sandbox listens on the loopback interface only. Bodies are JSON, whatever Content-Type says. What is no ' +
      'operation of this document is answered with 404 and an Error.',
    servers: [
      {
        url: `{origin}${CONTROL_PATH}`,
        description: 'The sandbox on this machine.',
        variables: { origin: ORIGIN },
      },
    ],
    tags: [
      { name: 'faults', description: 'What goes wrong.' },
      { name: 'time', description: 'The clock, and the way back to the start.' },
      { name: 'tenants', description: 'Customers of the platform.' },
      { name: 'contents', description: 'Contents as they are stored.' },
      { name: 'credentials', description: 'What is issued, and ended.' },
      { name: 'settings', description: 'What the platform does where its specification leaves it open.' },
      { name: 'observation', description: 'What is there, and what went on.' },
    ],
    operations: controlOperations(),
    components: { schemas: controlSchemas() },
  });
}
