import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AuditTrail } from './content/audit-trail';
import { type ApiKeys } from './content/api-keys';
import { LIFECYCLE_STATUSES } from './content/records';
import { type SandboxClock } from './clock';
import { type RequestCounters } from './counters';
import { RefusedRequestError } from './errors';
import { faultSchema, type Faults } from './faults';
import { type RecentRequests } from './recent-requests';
import { cellSchema } from './seed';
import { type Sessions } from './tenant-service/sessions';
import { type Tenant, type Tenants } from './tenants';
import { type AccessTokens } from './tokens/access-tokens';
import { type ClientCredentials } from './tokens/client-credentials';
import { InvalidInputError, parseInput } from './validation';

const TEN_YEARS_SEC = 10 * 366 * 24 * 60 * 60;
const DEFAULT_SESSION_SEC = 60 * 60;
const clockSchema = z.strictObject({ advanceSec: z.number().min(0).max(TEN_YEARS_SEC) });
const tenantSchema = cellSchema.extend({ tenantId: z.string() });
const contentsSchema = tenantSchema.extend({
  status: z.enum(LIFECYCLE_STATUSES).default('archived'),
  count: z.int().min(1).max(10_000).default(1),
});
const sessionSchema = tenantSchema.extend({
  administrator: z.boolean().default(true),
  validForSec: z.int().min(1).max(TEN_YEARS_SEC).default(DEFAULT_SESSION_SEC),
});
const credentialSchema = z.strictObject({ clientId: z.string() });
const apiKeySchema = z.strictObject({ apiKey: z.string() });
const lagSchema = z.strictObject({ sec: z.number().min(0).max(TEN_YEARS_SEC) });

/** All that control looks at or changes. */
export interface ControlState {
  readonly apiKeys: ApiKeys;
  readonly audit: AuditTrail;
  readonly clock: SandboxClock;
  readonly counters: RequestCounters;
  readonly credentials: ClientCredentials;
  readonly faults: Faults;
  readonly recentRequests: RecentRequests;
  readonly sessions: Sessions;
  readonly tenants: Tenants;
  readonly tokens: AccessTokens;
}

/**
 * The sandbox's own interface: it plays support (credentials), the administrator (sessions, API keys), bad luck (faults,
 * lag) and time. It asks for no authentication, as the sandbox listens on the loopback interface only. Invalid input gets
 * 400 naming field, value found and what is allowed. Below, a tenant is `{environment, platformRegion, tenantId}`.
 *
 * - `POST /faults` a fault → 201; `GET /faults` → `{faults}`; `DELETE /faults` → 204, all of them
 * - `POST /clock {advanceSec}` → `{now}`
 * - `GET /requests` → `{requests}`, the last 200 to the platform, the oldest first
 * - `GET /counters` → `{requests}`; `GET /audit` → `{changes}`; `GET /tenants` → `{tenants}`
 * - `POST /contents` a tenant, `status?` (archived), `count?` (1, at most 10,000) → 201 `{contentIds}`, until the next reset
 * - `POST /reset` → 204: contents, counters, requests and audit trail as at the start, no fault, no lag; all else stays
 * - `POST /credentials` a tenant → 201 `{clientId, clientSecret}`; `DELETE /credentials {clientId}` → 204, with its tokens
 * - `POST /sessions` a tenant, `administrator?` (true), `validForSec?` (3600) → 201 `{authorization, correlationId}`: the
 *   headers that a logged-in user's browser sends; authorization is the whole value, `Bearer ` included
 * - `POST /api-keys` a tenant → 201 `{apiKey, validUntil}`; `DELETE /api-keys {apiKey}` → 204
 * - `POST /key-lag {sec}` → `{sec}`: keys generated from now on, here or by the tenant service, work only so many seconds
 *   (of the sandbox's clock) later; 0 for at once
 *
 * What is not there to be deleted gets 404.
 */
export function control(state: ControlState): Hono {
  const { apiKeys, audit, clock, counters, credentials, faults, recentRequests, sessions, tenants, tokens } =
    state;
  const app = new Hono();

  app.post('/faults', async (c) => {
    const fault = await readInput(c, faultSchema);
    faults.add(fault);
    return c.json(fault, 201);
  });
  app.get('/faults', (c) => c.json({ faults: faults.all() }));
  app.delete('/faults', (c) => {
    faults.clear();
    return c.body(null, 204);
  });

  app.post('/clock', async (c) => {
    clock.advance((await readInput(c, clockSchema)).advanceSec);
    return c.json({ now: clock.nowIso() });
  });

  app.get('/requests', (c) => c.json({ requests: recentRequests.all() }));
  app.get('/counters', (c) => c.json({ requests: counters.rows() }));
  app.get('/audit', (c) => c.json({ changes: audit.all() }));

  // Credentials, API keys, sessions, tokens and the time outlive a reset: the system that holds them keeps running through it.
  app.post('/reset', (c) => {
    faults.clear();
    apiKeys.setLag(0);
    counters.reset();
    recentRequests.reset();
    audit.reset();
    tenants.resetContents();
    return c.body(null, 204);
  });

  app.get('/tenants', (c) => c.json({ tenants: tenants.all().map(describeTenant) }));

  app.post('/contents', async (c) => {
    const { tenantId, status, count, ...cell } = await readInput(c, contentsSchema);
    return c.json({ contentIds: tenants.addContents(tenants.require(cell, tenantId), status, count) }, 201);
  });

  app.post('/credentials', async (c) => {
    const { tenantId, ...cell } = await readInput(c, tenantSchema);
    tenants.require(cell, tenantId);
    return c.json(credentials.issue({ ...cell, tenantId }), 201);
  });
  app.delete('/credentials', async (c) => {
    const { clientId } = await readInput(c, credentialSchema);
    if (!credentials.revoke(clientId)) throw new RefusedRequestError(404, 'no such live credential');
    tokens.revokeAllOf(clientId);
    return c.body(null, 204);
  });
  app.post('/api-keys', async (c) => {
    const { tenantId, ...cell } = await readInput(c, tenantSchema);
    return c.json(apiKeys.generate(tenants.require(cell, tenantId), clock.nowMs()), 201);
  });
  app.delete('/api-keys', async (c) => {
    const { apiKey } = await readInput(c, apiKeySchema);
    if (!apiKeys.revoke(apiKey)) throw new RefusedRequestError(404, 'no such API key');
    return c.body(null, 204);
  });
  app.post('/key-lag', async (c) => {
    const { sec } = await readInput(c, lagSchema);
    apiKeys.setLag(sec);
    return c.json({ sec });
  });

  app.post('/sessions', async (c) => {
    const { tenantId, administrator, validForSec, ...cell } = await readInput(c, sessionSchema);
    const tenant = tenants.require(cell, tenantId);
    return c.json(sessions.open(tenant, { isAdministrator: administrator, validForSec }, clock.nowMs()), 201);
  });

  app.onError((error) => {
    throw error instanceof InvalidInputError ? new RefusedRequestError(400, error.message) : error;
  });
  return app;
}

function describeTenant(tenant: Tenant) {
  const { environment, platformRegion, tenantId, contents, authorRefs, collaborationIds } = tenant;
  const archived = [...contents.values()].filter(({ status }) => status === 'archived');
  const archivedContentIds = archived.map(({ id }) => id);
  return { environment, platformRegion, tenantId, archivedContentIds, authorRefs, collaborationIds };
}

async function readInput<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const body = await c.req.text();
  let input: unknown;
  try {
    input = JSON.parse(body);
  } catch {
    throw new RefusedRequestError(400, '(whole input): not well-formed JSON');
  }
  return parseInput(schema, input);
}
