import { type DeploymentFile } from '../../../contract/deployment-file';
import { type TokenKey } from '../../../contract/token-key';
import { type StoredToken } from '../../../lambdas/shared/domain/stored-token';
import { RefreshMemory } from '../../../lambdas/token-refresh/refresh-memory';
import { CountingMetrics } from './counting-metrics';
import { InMemoryCredentialStore } from './in-memory-credential-store';
import { InMemoryTokenStore } from './in-memory-token-store';
import { RecordingLog } from './recording-log';
import { ScriptedIssuer } from './scripted-issuer';
import { VirtualClock } from './virtual-clock';

export const TENANT_ID = 'eu-west-2_Acme';
export const KEY: TokenKey = keyOf(TENANT_ID);
export const MINUTE_MS = 60_000;

/** The content token `api/read` of a tenant. */
export function keyOf(tenantId: string): TokenKey {
  return { environment: 'staging', platformRegion: 'mea', tenantId, interface: 'content', scope: 'api/read' };
}

/** A deployment in which every tenant has the one token of `keyOf`. */
export function deploymentOf(
  tenantIds: readonly string[],
  change: Partial<DeploymentFile> = {},
): DeploymentFile {
  return {
    environment: 'staging',
    platformRegion: 'mea',
    prefix: 'latchkey',
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
      failureReasonField: 'failureReason',
    },
    restoreApi: { apiKeyGraceSec: 86_400 },
    credentials: { maxAgeDays: 90 },
    tenants: tenantIds.map((tenantId) => ({
      tenantId,
      tokens: [{ interface: 'content', scope: 'api/read' }],
      adopted: {},
    })),
    ...change,
  };
}

/** The ports of the token functions, on virtual time and in memory. One tenant's credential is loaded. */
export class TokenFunctions {
  readonly clock = new VirtualClock();
  readonly tokens = new InMemoryTokenStore();
  readonly credentials = new InMemoryCredentialStore();
  readonly issuer = new ScriptedIssuer(this.clock);
  readonly log = new RecordingLog();
  readonly metrics = new CountingMetrics();
  readonly memory = new RefreshMemory();
  readonly platform = deploymentOf([]).platform;
  /** The longest wait that jitter can draw, nearly. */
  random = () => 0.999;

  constructor() {
    this.credentials.load(TENANT_ID, 'credential-1');
  }

  /** Stores a token, by default one that was just renewed. */
  store(change: Partial<StoredToken> & { lifeLeftMs?: number } = {}, key = KEY): StoredToken {
    const { lifeLeftMs = 60 * MINUTE_MS, ...fields } = change;
    const expiresAtMs = this.clock.nowMs() + lifeLeftMs;
    const token = {
      accessToken: `stored-of-${key.tenantId}`,
      issuedAtMs: expiresAtMs - 60 * MINUTE_MS,
      expiresAtMs,
      credentialVersionId: 'credential-1',
      writesMs: [],
      ...fields,
    };
    this.tokens.put(key, `version-of-${token.accessToken}`, token);
    return token;
  }
}
