import { Hono } from 'hono';
import { type Addresses, addressesOf } from '../addresses';
import { type DeploymentKey } from '../deployment-key';
import { type AuditTrail } from '../content/audit-trail';
import { type RequestCounters } from '../counters';
import { controlDocument } from '../openapi/control-document';
import { interfaceDocument } from '../openapi/interface-document';
import { type RecentRequests } from '../recent-requests';

/** What can be looked at, and is only changed by what goes on. */
export interface ObservationState {
  readonly audit: AuditTrail;
  readonly cells: readonly DeploymentKey[];
  readonly counters: RequestCounters;
  readonly recentRequests: RecentRequests;
  /** Where everything is, unless it is all at the origin of the request. */
  readonly addresses?: () => Addresses;
}

/**
 * - `GET /addresses` → {@link Addresses}
 * - `GET /requests` → `{requests}`, the last 200 to the platform, the oldest first
 * - `GET /counters` → `{requests}`, how many there were of each kind
 * - `GET /audit` → `{changes}`, what was done to contents, and by whom, the oldest first
 * - `GET /openapi/interface.json`, `GET /openapi/control.json` → the platform's interface and control in OpenAPI
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
