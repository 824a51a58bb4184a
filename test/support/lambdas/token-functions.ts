import { type DeploymentFile } from '../../../core/deployment/deployment-file';
import { LEARNING_PLATFORM } from '../../../core/issuers/learning-platform';
import { type TokenKey } from '../../../core/tokens/published-keys';

export const TENANT_ID = 'eu-west-2_Acme';
export const KEY: TokenKey = keyOf(TENANT_ID);
export const MINUTE_MS = 60_000;

/** The key of a tenant's content token `api/read`. */
export function keyOf(tenantId: string): TokenKey {
  return { environment: 'staging', platformRegion: 'mea', tenantId, interface: 'content', scope: 'api/read' };
}

/** A deployment in which every tenant has only the token of `keyOf`. */
export function deploymentOf(
  tenantIds: readonly string[],
  change: Partial<DeploymentFile> = {},
): DeploymentFile {
  return {
    environment: 'staging',
    platformRegion: 'mea',
    prefix: 'latchkey',
    profile: LEARNING_PLATFORM,
    platform: {
      contentBaseUrl: 'https://content.example',
      contentTokenBaseUrl: 'https://token.example',
      webhooksBaseUrl: 'https://webhooks.example',
      webhooksTokenBaseUrl: 'https://webhooks-token.example',
    },
    restore: {
      available: false,
      method: 'POST',
      path: '/contents/{contentId}/restore',
      successStatus: 200,
      actingUserIn: 'body',
      actingUserHeaders: { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' },
      failureReasonField: 'failureReason',
    },
    restoreApi: { apiKeyGraceSec: 86_400 },
    credentials: { maxAgeDays: 90, rotationSchedule: 'none' },
    fullMonitoring: true,
    tenants: tenantIds.map((tenantId) => ({
      tenantId,
      tokens: [{ interface: 'content', scope: 'api/read' }],
      adopted: {},
    })),
    ...change,
  };
}
