import { type SandboxState } from '../sandbox-state';
import { RefusedRequestError } from '../errors';
import { type DeploymentKey } from '../deployment-key';
import { type Tenant } from '../tenants';

const BEARER = 'Bearer realm="content"';
const BASIC = 'Basic realm="content", charset="UTF-8"';

/** What an operation does to contents. Decides which scopes allow it. */
export type Access = 'read' | 'write';

type Credential =
  | { readonly scheme: 'basic'; readonly tenantId: string; readonly apiKey: string }
  | { readonly scheme: 'bearer'; readonly token: string };

/**
 * Returns the tenant that a request acts for. Basic authentication gives full access; a token must be for the content interface
 * of this deployment and have the scope `api/all` or that of the access.
 * @throws {RefusedRequestError} 401 with challenges, or 403 for an insufficient scope
 * @see platform specification, "Authentication"; RFC 6750, section 3.1; RFC 7617
 */
export function authenticate(
  authorization: string | undefined,
  deploymentKey: DeploymentKey,
  access: Access,
  state: SandboxState,
): Tenant {
  const credential = readCredential(authorization);
  if (!credential) throw unauthorized(BEARER);
  return credential.scheme === 'basic'
    ? tenantOfKey(credential, deploymentKey, state)
    : tenantOfToken(credential.token, deploymentKey, access, state);
}

/** The tenant that a request claims to act for, unchecked. */
export function claimedTenantId(
  authorization: string | undefined,
  { tokens, clock }: Pick<SandboxState, 'tokens' | 'clock'>,
): string | undefined {
  const credential = readCredential(authorization);
  if (credential?.scheme === 'basic') return credential.tenantId;
  return credential && tokens.find(credential.token, clock.nowMs())?.tenantId;
}

function tenantOfKey(
  { tenantId, apiKey }: Extract<Credential, { scheme: 'basic' }>,
  deploymentKey: DeploymentKey,
  { apiKeys, clock, tenants }: SandboxState,
): Tenant {
  const tenant = tenants.find(deploymentKey, tenantId);
  if (!tenant || !apiKeys.isValid(apiKey, tenant, clock.nowMs())) throw unauthorized(BEARER);
  return tenant;
}

function tenantOfToken(
  token: string,
  deploymentKey: DeploymentKey,
  access: Access,
  state: SandboxState,
): Tenant {
  const grant = state.tokens.find(token, state.clock.nowMs());
  // A tenant belongs to one deployment, so this also refuses tokens of other deployments.
  const tenant =
    grant?.interface === 'content' ? state.tenants.find(deploymentKey, grant.tenantId) : undefined;
  if (!grant || !tenant) throw unauthorized(`${BEARER}, error="invalid_token"`);
  if (grant.scope !== 'api/all' && grant.scope !== `api/${access}`) {
    throw new RefusedRequestError(403, `the token's scope does not permit this operation`, {
      'WWW-Authenticate': `${BEARER}, error="insufficient_scope", scope="api/${access}"`,
    });
  }
  return tenant;
}

function unauthorized(bearerChallenge: string): RefusedRequestError {
  return new RefusedRequestError(401, 'authentication is missing or invalid', {
    'WWW-Authenticate': `${bearerChallenge}, ${BASIC}`,
  });
}

function readCredential(authorization = ''): Credential | undefined {
  const [, scheme, value] = /^(basic|bearer) +(\S+)$/i.exec(authorization) ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', token: value };
  const userPass = Buffer.from(value, 'base64').toString('utf8');
  const colon = userPass.indexOf(':');
  if (colon < 0) return undefined;
  return { scheme: 'basic', tenantId: userPass.slice(0, colon), apiKey: userPass.slice(colon + 1) };
}
