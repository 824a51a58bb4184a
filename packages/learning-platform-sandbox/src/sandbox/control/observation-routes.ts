import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { addressesOf, addressesSchema } from '../addresses';
import { changeSchema } from '../content/audit-trail';
import { countedSchema } from '../counters';
import { response } from '../openapi/parts';
import { recentSchema } from '../recent-requests';
import { operationsOf } from './control-operation';

const requestsSchema = z.strictObject({ requests: z.array(recentSchema) }).openapi('Requests');
const countersSchema = z
  .strictObject({ requests: z.array(countedSchema.extend({ count: z.int().min(1) })) })
  .openapi('Counters');
const changesSchema = z.strictObject({ changes: z.array(changeSchema) }).openapi('Changes');

/**
 * What the sandbox serves, and what reached it.
 * @param documents returns the OpenAPI document of the platform, and of control
 */
export function addObservationRoutes(
  app: OpenAPIHono,
  { addresses, audit, counters, recentRequests, ...served }: SandboxState,
  documents: Readonly<Record<'interface' | 'control', () => object>>,
): void {
  const serve = operationsOf(app, 'observation');
  serve('GET /addresses', {
    operationId: 'getAddresses',
    summary: 'List all addresses',
    responses: { 200: response('Absolute addresses, without a trailing slash.', addressesSchema) },
    respond: (c) => c.json(addresses?.() ?? addressesOf(served, () => new URL(c.req.url).origin)),
  });
  serve('GET /requests', {
    operationId: 'listRequests',
    summary: 'List recent requests to the platform',
    responses: { 200: response('The last 200 requests, oldest first.', requestsSchema) },
    respond: (c) => c.json({ requests: recentRequests.all() }),
  });
  serve('GET /counters', {
    operationId: 'listCounters',
    summary: 'Count requests to the platform',
    responses: { 200: response('Request counts by target, method, path and status.', countersSchema) },
    respond: (c) => c.json({ requests: counters.rows() }),
  });
  serve('GET /audit', {
    operationId: 'listChanges',
    summary: 'List changes of contents',
    responses: { 200: response('Changes with their acting users, oldest first.', changesSchema) },
    respond: (c) => c.json({ changes: audit.all() }),
  });
  serve('GET /openapi/interface.json', {
    operationId: 'getInterfaceDocument',
    summary: 'Get the OpenAPI document of the platform',
    responses: { 200: response("The OpenAPI document of the platform's interface.", z.looseObject({})) },
    respond: (c) => c.json(documents.interface()),
  });
  serve('GET /openapi/control.json', {
    operationId: 'getControlDocument',
    summary: 'Get the OpenAPI document of control',
    responses: { 200: response('The OpenAPI document of the control interface.', z.looseObject({})) },
    respond: (c) => c.json(documents.control()),
  });
}
