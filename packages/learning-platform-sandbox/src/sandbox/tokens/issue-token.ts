import { z } from '@hono/zod-openapi';
import { type SandboxState } from '../sandbox-state';
import { tenantReferenceSchema } from '../deployment-key';
import { InvalidInputError, issueLine } from '../validation';
import { isSameOwner } from './client-credentials';
import { ACCESS_TOKEN_LIFETIME_SEC } from './issued-tokens';
import { SCOPES } from './token-request';

/** A token that a test wants without a token request. */
export const tokenToIssueSchema = tenantReferenceSchema.extend({
  interface: z.enum(['content', 'webhooks']).default('content'),
  scope: z.string().optional().describe('By default api/read, and api/webhooks for the webhooks interface.'),
});

/**
 * Issues an access token that belongs to the newest client credential of its tenant, if there is one.
 * @throws {InvalidInputError} for an unknown tenant, and a scope that the interface does not have
 */
export function issueToken(
  state: SandboxState,
  {
    interface: interfaceName,
    scope = interfaceName === 'content' ? 'api/read' : 'api/webhooks',
    ...owner
  }: z.output<typeof tokenToIssueSchema>,
): { accessToken: string; expiresAt: string } {
  state.tenants.require(owner, owner.tenantId);
  if (!SCOPES[interfaceName].includes(scope)) {
    throw new InvalidInputError([issueLine(['scope'], scope, SCOPES[interfaceName].join(', '))]);
  }
  const clientId = state.credentials.newestOf((other) => isSameOwner(other, owner)) ?? '';
  const nowMs = state.clock.nowMs();
  return {
    accessToken: state.tokens.issue({ ...owner, clientId, interface: interfaceName, scope }, nowMs),
    expiresAt: new Date(nowMs + ACCESS_TOKEN_LIFETIME_SEC * 1000).toISOString(),
  };
}
