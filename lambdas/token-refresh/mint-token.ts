import { REFUSAL_FAULTS, type TokenFault } from '../../core/alarms/metrics';
import { type TokenKey } from '../../core/tokens/token-key';
import { momentOf } from '../../core/calls/moment';
import { StoreError } from '../../core/secrets/store-error';
import { type StoredToken } from '../../core/tokens/stored-token';
import { type IssuedToken } from '../../core/tokens/token-answer';
import { TokenError } from '../../core/tokens/token-errors';
import { type ClientCredentials, type CredentialStore } from '../shared/ports';
import { ANY_FAILING, tenantAtInterface } from './refresh-memory';
import { requestToken, type RequestTokenPorts, throwIfRemembered, untilAllowed } from './request-token';
import { isRejected, type Requirement } from './requirement';

const REFUSAL_REMEMBERED_MS = 60_000;
/** Part of a renewal's time that is reserved for the write, in ms: a token that is issued but not stored is wasted. */
export const WRITE_RESERVE_MS = 1_500;
const REFUSALS: readonly TokenFault[] = REFUSAL_FAULTS;

export interface MintTokenPorts extends RequestTokenPorts {
  credentials: CredentialStore;
}

/** A new token with the version of its credential, and a fault that the request recovered from. */
export interface MintedToken {
  issued: IssuedToken;
  credentialVersionId: string;
  credentialCreatedAtMs: number | undefined;
  /** Requests with this credential. */
  requests: number;
  fault: TokenFault | undefined;
  /** The current credential, if the platform refused it and a former one obtained the token. */
  refused?: { versionId: string | undefined; error: TokenError };
}

/** The stored token, and whether it is needed: a token of a retired credential alone is replaced at leisure. */
interface Replaced {
  token: StoredToken | undefined;
  isNeeded: boolean;
}

/**
 * Requests a new token from the platform, which must differ from the stored one. Fails without a request while this
 * process remembers a recent failure of the tenant: an outage, or a refusal of this credential.
 *
 * The current credential decides, unless the platform refuses it: then the one that obtained the stored token serves on,
 * if it was not revoked and a new token is needed.
 * @param requirement its deadline moves if the request has to wait for its turn
 * @throws {StoreError | TokenError}
 */
export async function mintToken(
  ports: MintTokenPorts,
  key: TokenKey,
  replaced: Replaced,
  requirement: Requirement,
): Promise<MintedToken> {
  const { clock, credentials } = ports;
  const { memory } = ports;
  if (memory.failing.has(tenantAtInterface(key))) {
    const now = momentOf(clock);
    const ofAny = memory.outages.find(memory.pace === undefined ? ANY_FAILING : key.interface, now);
    if (ofAny !== undefined) throwIfRemembered(memory.outages.find(tenantAtInterface(key), now) ?? ofAny);
  }
  await untilAllowed(ports, key, requirement.deadlineMs - WRITE_RESERVE_MS);
  requirement.deadlineMs = (await requirement.awaitTurn?.()) ?? requirement.deadlineMs;
  const deadlineMs = requirement.deadlineMs - WRITE_RESERVE_MS;
  const mintWith = (credential: ClientCredentials) =>
    requestWith(ports, { key, credential, stored: replaced.token, requirement, deadlineMs });
  const leftMs = () => deadlineMs - clock.monotonicMs();
  try {
    const credential = await credentials.read(key, leftMs());
    return await mintWith(credential).catch(async (error: unknown) => {
      if (credential.isShared !== true || !isRefusal(error)) throw error;
      credentials.forget?.(key);
      const current = await credentials.read(key, leftMs()).catch((failure: unknown) => {
        // The former credential may still serve.
        throw failure instanceof StoreError ? error : failure;
      });
      if (current.versionId === credential.versionId) throw error;
      // The turn was for one request.
      memory.pace?.sent(clock);
      return mintWith(current);
    });
  } catch (error) {
    const provenId = replaced.isNeeded ? replaced.token?.credentialVersionId : undefined;
    if (provenId === undefined || !isRefusal(error)) throw error;
    try {
      const former = await credentials.former(key, provenId, leftMs());
      if (former === undefined) throw error;
      // The turn was for one request.
      memory.pace?.sent(clock);
      return { ...(await mintWith(former)), refused: { versionId: former.currentVersionId, error } };
    } catch (formerError) {
      if (formerError === error) throw error;
      if (!(formerError instanceof TokenError || formerError instanceof StoreError)) throw formerError;
      // The refused credential is what a person must repair.
      throw error.with(`${error.message}; with the former credential: ${formerError.message}`);
    }
  }
}

/** Whether the platform refused the credential or the scope, or the secret holds no credential. */
function isRefusal(error: unknown): error is TokenError {
  return error instanceof TokenError && REFUSALS.includes(error.fault);
}

interface Request {
  key: TokenKey;
  credential: ClientCredentials;
  stored: StoredToken | undefined;
  requirement: Requirement;
  deadlineMs: number;
}

async function requestWith(
  ports: MintTokenPorts,
  { key, credential, stored, requirement, deadlineMs }: Request,
): Promise<MintedToken> {
  const { clock, memory } = ports;
  const { tenantId } = key;
  const { clientId, clientSecret, versionId, createdAtMs } = credential;
  const credentialRefusal = JSON.stringify([tenantId, versionId, key.interface]);
  const scopeRefusal = JSON.stringify([tenantId, versionId, key.interface, key.scope]);
  throwIfRemembered(memory.refusals.find(credentialRefusal, momentOf(clock)));
  throwIfRemembered(memory.refusals.find(scopeRefusal, momentOf(clock)));
  if (clock.monotonicMs() >= deadlineMs) {
    throw new TokenError('platform_unavailable', 'no time left to ask the platform');
  }

  try {
    const request = { tenantId, tokenType: key, clientId, clientSecret };
    const { issued, attempts, survived } = await requestToken(ports, request, deadlineMs);
    memory.failing.delete(tenantAtInterface(key));
    // eslint-disable-next-line no-restricted-syntax -- both tokens come from the platform
    const isSame = issued.accessToken === stored?.accessToken;
    if (isSame && (issued.sameUntilMs === undefined || isRejected(stored, requirement))) {
      // Do not extend its expiry: only the platform knows when it was issued.
      const { sameUntilMs } = issued;
      const said = 'the platform returned the token that is already stored';
      throw sameUntilMs === undefined
        ? new TokenError('bad_platform_answer', said)
        : new TokenError(
            'bad_platform_answer',
            `${said}, as it does until ${new Date(sameUntilMs).toISOString()}`,
          );
    }
    return {
      issued,
      credentialVersionId: versionId,
      credentialCreatedAtMs: createdAtMs,
      requests: attempts,
      fault: survived?.fault ?? oddityOf(issued),
    };
  } catch (error) {
    const group = tenantAtInterface(key);
    const failures = (memory.failing.get(group) ?? 0) + 1;
    memory.failing.delete(group);
    memory.failing.set(group, failures);
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
