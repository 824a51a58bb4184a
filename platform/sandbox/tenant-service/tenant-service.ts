import { type Context, Hono } from 'hono';
import { type SandboxClock } from '../sandbox-clock';
import { type ApiKeys } from '../content/api-keys';
import { RefusedRequestError } from '../errors';
import { isJsonMediaType, parseJsonBody } from '../json-body';
import { type DeploymentKey, type TenantReference } from '../deployment-key';
import { executeDocument } from './key-generation';
import { isCorrelated, type Sessions } from './sessions';

/** State shared by the tenant services of both environments. */
interface TenantServiceState {
  readonly apiKeys: ApiKeys;
  readonly clock: SandboxClock;
  readonly sessions: Sessions;
}

/**
 * The tenant service of one environment, for all platform regions. A generated key belongs to the tenant of the session.
 *
 * Checks in this order: session (401), administrator (403), content type (415), format of the body (400). After that GraphQL
 * answers, with 200. Fields of the body other than `query` are ignored.
 * @see platform specification, "2. Generate a permanent API key"
 */
export function tenantService(environment: DeploymentKey['environment'], state: TenantServiceState): Hono {
  const service = new Hono();

  service.post('/tenants', async (c) => {
    c.header('Cache-Control', 'no-store');
    const tenant = administratedTenant(c, environment, state);
    if (!isJsonMediaType(c.req.header('content-type'))) {
      throw new RefusedRequestError(415, 'Content-Type is not application/json');
    }
    const query = readQuery(await c.req.text());
    return c.json(executeDocument(query, () => state.apiKeys.generate(tenant, state.clock.nowMs())));
  });
  return service;
}

/** @throws {RefusedRequestError} 401 without a session of this environment, 403 if the user is not an administrator */
function administratedTenant(
  c: Context,
  environment: DeploymentKey['environment'],
  { sessions, clock }: TenantServiceState,
): TenantReference {
  const session = sessions.find(c.req.header('authorization'), clock.nowMs());
  if (session?.tenant.environment !== environment || !isCorrelated(session, c.req.header('correlation-id'))) {
    throw new RefusedRequestError(401, 'the session or its correlation id is missing or invalid', {
      'WWW-Authenticate': 'Bearer realm="tenants"',
    });
  }
  if (!session.isAdministrator) {
    throw new RefusedRequestError(403, 'only site administrators can generate keys');
  }
  return session.tenant;
}

function readQuery(body: string): string {
  const query = (parseJsonBody(body) as { query?: unknown } | null)?.query;
  if (typeof query !== 'string') throw new RefusedRequestError(400, 'query: a string is required');
  return query;
}
