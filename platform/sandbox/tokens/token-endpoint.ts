import { Hono } from 'hono';
import { type SandboxClock } from '../sandbox-clock';
import { isJsonMediaType } from '../json-body';
import { type DeploymentKey, type Interface } from '../deployment-key';
import { ACCESS_TOKEN_LIFETIME_SEC, type AccessTokens } from './issued-tokens';
import { type ClientCredentials } from './client-credentials';
import { readTokenRequest, requireKnownScope, TokenRequestError } from './token-request';

/** State shared by the token endpoints of all deployments. */
interface TokenEndpointState {
  readonly clock: SandboxClock;
  readonly credentials: ClientCredentials;
  readonly tokens: AccessTokens;
}

/**
 * The token endpoint of one interface in one deployment.
 *
 * Checks in this order: request format, grant type, client, scope. An unknown tenant gets the same answer as a wrong secret.
 * @see platform specification, "1. Request an access token"; RFC 6749, sections 4.4, 5.1 and 5.2
 */
export function tokenEndpoint(
  deploymentKey: DeploymentKey,
  forInterface: Interface,
  state: TokenEndpointState,
): Hono {
  const endpoint = new Hono();

  endpoint.post('/oauth2/token/:tenantId', async (c) => {
    c.header('Cache-Control', 'no-store');
    c.header('Pragma', 'no-cache');
    if (!isJsonMediaType(c.req.header('content-type'))) {
      throw new TokenRequestError('invalid_request', 'Content-Type is not application/json');
    }
    const request = readTokenRequest(await c.req.text());
    const owner = { ...deploymentKey, tenantId: c.req.param('tenantId') };
    if (!state.credentials.areLive(request.client_id, request.client_secret, owner)) {
      throw new TokenRequestError('invalid_client', 'no live credential of this tenant and environment');
    }
    requireKnownScope(request.scope, forInterface);
    const grant = { ...owner, clientId: request.client_id, interface: forInterface, scope: request.scope };
    return c.json({
      access_token: state.tokens.issue(grant, state.clock.nowMs()),
      expires_in: ACCESS_TOKEN_LIFETIME_SEC,
      token_type: 'Bearer',
    });
  });

  endpoint.onError((error, c) => {
    if (!(error instanceof TokenRequestError)) throw error;
    const status = error.code === 'invalid_client' ? 401 : 400;
    return c.json({ error: error.code, error_description: error.message }, status);
  });
  return endpoint;
}
