import { OpenAPIHono, z } from '@hono/zod-openapi';
import { type Addresses, addressesOf, addressesSchema, type Served } from '../addresses';
import { type AuditTrail, changeSchema } from '../content/audit-trail';
import { countedSchema, type RequestCounters } from '../counters';
import { response } from '../openapi/parts';
import { type RecentRequests, recentSchema } from '../recent-requests';
import { operationsOf } from './control-operation';

/** State used by the observation routes. */
export interface ObservationState extends Served {
  readonly audit: AuditTrail;
  readonly counters: RequestCounters;
  readonly recentRequests: RecentRequests;
  /** Returns all addresses. Undefined if all are at the origin of the request. */
  readonly addresses?: () => Addresses;
}

const requestsSchema = z.strictObject({ requests: z.array(recentSchema) }).openapi('Requests');
const countersSchema = z
  .strictObject({ requests: z.array(countedSchema.extend({ count: z.int().min(1) })) })
  .openapi('Counters');
const changesSchema = z.strictObject({ changes: z.array(changeSchema) }).openapi('Changes');

/**
 * What the sandbox serves, and what reached it.
 * @param documents returns the OpenAPI document of the platform, and of control
 */
export function observationRoutes(
  { addresses, audit, counters, recentRequests, ...served }: ObservationState,
  documents: Readonly<Record<'interface' | 'control', () => object>>,
): OpenAPIHono {
  const app = new OpenAPIHono();
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
  return app;
}
