import { LEARNING_PLATFORM } from '../../core/issuers/learning-platform';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { type TokenValue } from '../../core/secrets/secret-values';
import { deploymentKeyOf, type TokenKey, tokenTypeOf } from '../../core/tokens/token-key';

/** The token key that is used where one is enough. */
export const MEASURED_KEY = {
  environment: 'staging',
  platformRegion: 'global',
  tenantId: 'bench-tenant',
  interface: 'content',
  scope: 'api/write',
} as const satisfies TokenKey;

/** The functions' deployment file, with the platform at `origin`. */
export function measuredDeployment(origin: string): DeploymentFile {
  return {
    ...deploymentKeyOf(MEASURED_KEY),
    prefix: 'latchkey',
    profile: LEARNING_PLATFORM,
    platform: { contentBaseUrl: `${origin}/content`, contentTokenBaseUrl: `${origin}/auth` },
    restore: {
      available: true,
      method: 'POST',
      path: '/contents/{contentId}/restore',
      successStatus: 200,
      actingUserIn: 'body',
      actingUserHeaders: { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' },
      failureReasonField: 'reason',
    },
    restoreApi: { apiKeyGraceSec: 86_400 },
    credentials: { maxAgeDays: 90, rotationSchedule: 'none' },
    tenants: [{ tenantId: MEASURED_KEY.tenantId, tokens: [tokenTypeOf(MEASURED_KEY)], adopted: {} }],
  };
}

/** The secret value of the measured token. @param lifeSec until it expires; negative if it has expired */
export function measuredTokenValue(accessToken: string, lifeSec: number): TokenValue {
  const nowMs = Date.now();
  return {
    ...MEASURED_KEY,
    accessToken,
    tokenType: 'Bearer',
    issuedAt: new Date(nowMs + (lifeSec - 3_600) * 1_000).toISOString(),
    expiresAt: new Date(nowMs + lifeSec * 1_000).toISOString(),
    credentialVersionId: 'any',
  };
}
