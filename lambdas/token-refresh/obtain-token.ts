import { type PlatformAddresses, tokenBaseUrl } from '../../contract/deployment-file';
import { type TokenKey } from '../../contract/token-key';
import { type StoredToken } from '../shared/domain/stored-token';
import { type IssuedToken } from '../shared/domain/token-answer';
import { PlatformUnavailableError, TokenError } from '../shared/domain/token-errors';
import { type CredentialStore } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';
import { requestToken, type RequestTokenPorts } from './request-token';

const REFUSAL_REMEMBERED_MS = 60_000;
const OUTAGE_REMEMBERED_MS = 10_000;

export interface ObtainTokenPorts extends RequestTokenPorts {
  credentials: CredentialStore;
  memory: RefreshMemory;
  platform: PlatformAddresses;
}

/** A token with the credential that minted it. */
export interface ObtainedToken {
  issued: IssuedToken;
  credentialVersionId: string;
}

/**
 * Gets a token that differs from the stored one, unless this process knows of a failure that asking again would only
 * repeat: an outage of the tenant's or of the whole endpoint, or a refusal of the very credential.
 * @throws {TokenError}
 */
export async function obtainToken(
  ports: ObtainTokenPorts,
  key: TokenKey,
  stored: StoredToken | undefined,
  deadlineMs: number,
): Promise<ObtainedToken> {
  const { clock, credentials, memory, metrics } = ports;
  const baseUrl = tokenBaseUrl(ports.platform, key.interface);
  if (baseUrl === undefined) {
    throw new TokenError('unknown_token_key', `configuration has no token endpoint for ${key.interface}`);
  }
  if (clock.nowMs() >= deadlineMs) {
    throw new TokenError('platform_unavailable', 'no time was left to ask the platform');
  }
  const tenantAtEndpoint = JSON.stringify([baseUrl, key.tenantId]);
  throwIfRemembered(memory.breaker.find(baseUrl, clock.nowMs()));
  throwIfRemembered(memory.outages.find(tenantAtEndpoint, clock.nowMs()));

  const credential = await credentials.read(key);
  if (credential === undefined) {
    throw new TokenError('not_loaded', `no client credentials are loaded for tenant ${key.tenantId}`);
  }
  const pair = JSON.stringify([key.tenantId, credential.versionId, key.interface]);
  const pairAndScope = JSON.stringify([key.tenantId, credential.versionId, key.interface, key.scope]);
  throwIfRemembered(memory.refusals.find(pair, clock.nowMs()));
  throwIfRemembered(memory.refusals.find(pairAndScope, clock.nowMs()));

  const { clientId, clientSecret, versionId } = credential;
  try {
    const request = { baseUrl, tenantId: key.tenantId, target: key, clientId, clientSecret };
    const issued = await requestToken(ports, request, deadlineMs);
    if (issued.accessToken === stored?.accessToken) {
      // Its life is not extended: only the platform knows when it really began.
      throw new TokenError(
        'bad_platform_answer',
        'the platform answered with the token that is stored already',
      );
    }
    memory.breaker.succeeded(baseUrl);
    if (issued.isLifeAssumed) metrics.count('LifeAssumed');
    return { issued, credentialVersionId: versionId };
  } catch (error) {
    remember(error, clock.nowMs());
    throw error;
  }

  function remember(error: unknown, nowMs: number): void {
    if (error instanceof PlatformUnavailableError) {
      const forMs = error.retryAfterMs ?? OUTAGE_REMEMBERED_MS;
      memory.outages.remember(tenantAtEndpoint, error, nowMs, forMs);
      memory.breaker.failed(baseUrl!, key.tenantId, error, nowMs);
    } else if (error instanceof TokenError) {
      const name = error.code === 'credential_refused' ? pair : pairAndScope;
      memory.refusals.remember(name, error, nowMs, REFUSAL_REMEMBERED_MS);
    }
  }
}

function throwIfRemembered(remembered: { error: TokenError; leftMs: number } | undefined): void {
  if (remembered === undefined) return;
  const { error, leftMs } = remembered;
  const message = `${error.message}; not asked again so soon`;
  throw new TokenError(error.code, message, { cause: error, retryAfterMs: leftMs });
}
