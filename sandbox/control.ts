import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type AuditTrail } from './content/audit-trail';
import { type ApiKeys } from './content/api-keys';
import { type SandboxClock } from './clock';
import { type RequestCounters } from './counters';
import { RefusedRequestError } from './errors';
import { faultSchema, type Faults } from './faults';
import { cellSchema } from './seed';
import { type Tenant, type Tenants } from './tenants';
import { type AccessTokens } from './tokens/access-tokens';
import { type ClientCredentials } from './tokens/client-credentials';
import { InvalidInputError, parseInput } from './validation';

const TEN_YEARS_SEC = 10 * 366 * 24 * 60 * 60;
const clockSchema = z.strictObject({ advanceSec: z.number().min(0).max(TEN_YEARS_SEC) });
const tenantSchema = cellSchema.extend({ tenantId: z.string() });
const revocationSchema = z.strictObject({ clientId: z.string() });

/** All that control looks at or changes. */
export interface ControlState {
  readonly apiKeys: ApiKeys;
  readonly audit: AuditTrail;
  readonly clock: SandboxClock;
  readonly counters: RequestCounters;
  readonly credentials: ClientCredentials;
  readonly faults: Faults;
  readonly tenants: Tenants;
  readonly tokens: AccessTokens;
}

/**
 * The sandbox's own interface: it plays support (credentials), the administrator (API keys), bad luck (faults) and time.
 * It asks for no authentication, as the sandbox listens on the loopback interface only. Invalid input gets 400 naming
 * field, value found and what is allowed.
 */
export function control(state: ControlState): Hono {
  const { apiKeys, audit, clock, counters, credentials, faults, tenants, tokens } = state;
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

  app.get('/counters', (c) => c.json({ requests: counters.rows() }));
  app.get('/audit', (c) => c.json({ changes: audit.all() }));

  // Credentials, API keys, tokens and the time outlive a reset: the system that holds them keeps running through it.
  app.post('/reset', (c) => {
    faults.clear();
    counters.reset();
    audit.reset();
    tenants.resetContents();
    return c.body(null, 204);
  });

  app.get('/tenants', (c) => c.json({ tenants: tenants.all().map(describeTenant) }));

  app.post('/credentials', async (c) => {
    const { tenantId, ...cell } = await readInput(c, tenantSchema);
    tenants.require(cell, tenantId);
    return c.json(credentials.issue({ ...cell, tenantId }), 201);
  });
  app.delete('/credentials', async (c) => {
    const { clientId } = await readInput(c, revocationSchema);
    if (!credentials.revoke(clientId)) throw new RefusedRequestError(404, 'no such live credential');
    tokens.revokeAllOf(clientId);
    return c.body(null, 204);
  });
  app.post('/api-keys', async (c) => {
    const { tenantId, ...cell } = await readInput(c, tenantSchema);
    return c.json(apiKeys.generate(tenants.require(cell, tenantId), clock.nowMs()), 201);
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
