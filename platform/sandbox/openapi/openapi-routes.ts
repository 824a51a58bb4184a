import { Hono } from 'hono';
import { controlDocument } from './control-document';
import { interfaceDocument } from './interface-document';

/**
 * - `GET /openapi/interface.json` → the platform's interface in OpenAPI
 * - `GET /openapi/control.json` → control in OpenAPI
 */
export function openapiRoutes(): Hono {
  const app = new Hono();
  app.get('/openapi/interface.json', (c) => c.json(interfaceDocument()));
  app.get('/openapi/control.json', (c) => c.json(controlDocument()));
  return app;
}
