import { Hono } from 'hono';
import { z } from 'zod';
import { type SandboxClock } from '../sandbox-clock';
import { type ApiKeys } from '../content/api-keys';
import { tenantReferenceSchema } from '../deployment-key';
import { RefusedRequestError } from '../errors';
import { type Sessions } from '../tenant-service/sessions';
import { type Tenants } from '../tenants';
import { type AccessTokens } from '../tokens/issued-tokens';
import { type ClientCredentials } from '../tokens/client-credentials';
import { readInput } from './read-input';

/** State used by the credentials routes. */
export interface CredentialState {
  readonly apiKeys: ApiKeys;
  readonly clock: SandboxClock;
  readonly credentials: ClientCredentials;
  readonly sessions: Sessions;
  readonly tenants: Tenants;
  readonly tokens: AccessTokens;
}

const MAX_SESSION_SEC = 10 * 366 * 24 * 60 * 60;
const DEFAULT_SESSION_SEC = 60 * 60;
/** The body of `POST /sessions`. */
export const sessionSchema = tenantReferenceSchema.extend({
  administrator: z.boolean().default(true),
  validForSec: z.int().min(1).max(MAX_SESSION_SEC).default(DEFAULT_SESSION_SEC),
});

/**
 * Issues and revokes what support and administrators do. A tenant key is `{environment, platformRegion, tenantId}`.
 *
 * - `POST /credentials` with a tenant key → 201 `{clientId, clientSecret}`; `DELETE /credentials {clientId}` → 204, also
 *   revokes its tokens
 * - `POST /api-keys` with a tenant key → 201 `{apiKey, validUntil}`; `DELETE /api-keys {apiKey}` → 204
 * - `POST /sessions` with a tenant key, `administrator?` (true), `validForSec?` (3600) → 201 `{authorization,
 *   correlationId}`: the headers of a logged-in user's browser (authorization includes `Bearer `);
 *   `DELETE /sessions {authorization}` → 204
 * - `DELETE /tokens {accessToken}` → 204
 */
export function credentialRoutes(state: CredentialState): Hono {
  const { apiKeys, clock, credentials, sessions, tenants, tokens } = state;
  const app = new Hono();
  const serveEnd = (path: string, field: string, what: string, end: (value: string) => boolean) => {
    const schema = z.strictObject({ [field]: z.string() });
    app.delete(path, async (c) => {
      const { [field]: value = '' } = await readInput(c, schema);
      if (!end(value)) throw new RefusedRequestError(404, `no such ${what}`);
      return c.body(null, 204);
    });
  };

  app.post('/credentials', async (c) => {
    const { tenantId, ...deploymentKey } = await readInput(c, tenantReferenceSchema);
    tenants.require(deploymentKey, tenantId);
    return c.json(credentials.issue({ ...deploymentKey, tenantId }), 201);
  });
  serveEnd('/credentials', 'clientId', 'live credential', (clientId) => {
    tokens.revokeAllOf(clientId);
    return credentials.revoke(clientId);
  });

  app.post('/api-keys', async (c) => {
    const { tenantId, ...deploymentKey } = await readInput(c, tenantReferenceSchema);
    return c.json(apiKeys.generate(tenants.require(deploymentKey, tenantId), clock.nowMs()), 201);
  });
  serveEnd('/api-keys', 'apiKey', 'API key', (apiKey) => apiKeys.revoke(apiKey));

  app.post('/sessions', async (c) => {
    const { tenantId, administrator, validForSec, ...deploymentKey } = await readInput(c, sessionSchema);
    const tenant = tenants.require(deploymentKey, tenantId);
    return c.json(sessions.open(tenant, { isAdministrator: administrator, validForSec }, clock.nowMs()), 201);
  });
  serveEnd('/sessions', 'authorization', 'session', (authorization) => sessions.close(authorization));

  serveEnd('/tokens', 'accessToken', 'access token', (token) => tokens.revoke(token));
  return app;
}
