import { type TokenFault } from '../../contract/metrics';
import { type PlatformAddresses, tokenBaseUrl } from '../../contract/deployment-file';
import { type TokenKey } from '../../contract/token-key';
import { momentOf } from '../shared/domain/moment';
import { type StoredToken } from '../shared/domain/stored-token';
import { type IssuedToken } from '../shared/domain/token-answer';
import { TokenError } from '../shared/domain/token-errors';
import { type CredentialStore } from '../shared/ports';
import { tenantAtInterface } from './refresh-memory';
import { requestToken, type RequestTokenPorts, throwIfRemembered, untilAllowed } from './request-token';

const REFUSAL_REMEMBERED_MS = 60_000;

export interface MintTokenPorts extends RequestTokenPorts {
  credentials: CredentialStore;
  platform: PlatformAddresses;
}

/** A new token with the version of its credential, and a fault that the request recovered from. */
export interface MintedToken {
  issued: IssuedToken;
  credentialVersionId: string;
  fault: TokenFault | undefined;
}

/**
 * Requests a new token from the platform, which must differ from the stored one. Fails without a request while this
 * process remembers a recent failure: an outage for the tenant or the whole endpoint, or a refusal of this credential.
 * @param deadlineMs latest end of any request, in ms by the monotonic clock
 * @throws {StoreError | TokenError}
 */
export async function mintToken(
  ports: MintTokenPorts,
  key: TokenKey,
  stored: StoredToken | undefined,
  deadlineMs: number,
): Promise<MintedToken> {
  const { clock, credentials, memory } = ports;
  const { tenantId } = key;
  const baseUrl = tokenBaseUrl(ports.platform, key.interface);
  if (baseUrl === undefined) {
    throw new TokenError('unknown_token_key', `the configuration has no token endpoint for ${key.interface}`);
  }
  await untilAllowed(ports, { baseUrl, tenantId }, deadlineMs);
  const { clientId, clientSecret, versionId } = await credentials.read(key, deadlineMs - clock.monotonicMs());
  const credentialRefusal = JSON.stringify([tenantId, versionId, key.interface]);
  const scopeRefusal = JSON.stringify([tenantId, versionId, key.interface, key.scope]);
  throwIfRemembered(memory.refusals.find(credentialRefusal, momentOf(clock)));
  throwIfRemembered(memory.refusals.find(scopeRefusal, momentOf(clock)));
  if (clock.monotonicMs() >= deadlineMs) {
    throw new TokenError('platform_unavailable', 'no time left to ask the platform');
  }

  try {
    const request = { baseUrl, tenantId, tokenType: key, clientId, clientSecret };
    const { issued, survived } = await requestToken(ports, request, deadlineMs);
    memory.failing.delete(tenantAtInterface(key));
    // eslint-disable-next-line no-restricted-syntax -- both tokens come from the platform
    if (issued.accessToken === stored?.accessToken) {
      // Do not extend its expiry: only the platform knows when it was issued.
      throw new TokenError('bad_platform_answer', 'the platform returned the token that is already stored');
    }
    return { issued, credentialVersionId: versionId, fault: survived?.fault ?? oddityOf(issued) };
  } catch (error) {
    memory.failing.add(tenantAtInterface(key));
    if (!(error instanceof TokenError) || error.code === 'platform_unavailable') throw error;
    const name = error.code === 'credential_refused' ? credentialRefusal : scopeRefusal;
    memory.refusals.remember(name, error, momentOf(clock), REFUSAL_REMEMBERED_MS);
    throw error.lasting(REFUSAL_REMEMBERED_MS);
  }
}

function oddityOf({ isLifeAssumed, isClockSkewed }: IssuedToken): TokenFault | undefined {
  if (isLifeAssumed) return 'life_assumed';
  return isClockSkewed === true ? 'clock_skew' : undefined;
}
