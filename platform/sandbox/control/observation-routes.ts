import { Hono } from 'hono';
import { type Addresses, addressesOf } from '../addresses';
import { type DeploymentKey } from '../deployment-key';
import { type AuditTrail } from '../content/audit-trail';
import { type RequestCounters } from '../counters';
import { controlDocument } from '../openapi/control-document';
import { interfaceDocument } from '../openapi/interface-document';
import { type RecentRequests } from '../recent-requests';

/** State used by the observation routes. */
export interface ObservationState {
  readonly audit: AuditTrail;
  readonly cells: readonly DeploymentKey[];
  readonly counters: RequestCounters;
  readonly recentRequests: RecentRequests;
  /** Returns all addresses. Undefined if all are at the origin of the request. */
  readonly addresses?: () => Addresses;
}

/**
 * - `GET /addresses` → {@link Addresses}
 * - `GET /requests` → `{requests}`, the last 200 to the platform, oldest first
 * - `GET /counters` → `{requests}`, counts by target, method, path and status
 * - `GET /audit` → `{changes}`, changes of contents with their acting users, oldest first
 * - `GET /openapi/interface.json`, `GET /openapi/control.json` → the OpenAPI documents of the platform and of control
 */
export function observationRoutes({
  addresses,
  audit,
  cells,
  counters,
  recentRequests,
}: ObservationState): Hono {
  const app = new Hono();
  app.get('/addresses', (c) => c.json(addresses?.() ?? addressesOf(cells, () => new URL(c.req.url).origin)));
  app.get('/requests', (c) => c.json({ requests: recentRequests.all() }));
  app.get('/counters', (c) => c.json({ requests: counters.rows() }));
  app.get('/audit', (c) => c.json({ changes: audit.all() }));
  app.get('/openapi/interface.json', (c) => c.json(interfaceDocument()));
  app.get('/openapi/control.json', (c) => c.json(controlDocument()));
  return app;
}
