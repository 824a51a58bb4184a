import { REFUSAL_FAULTS, type TokenFault } from '../../core/alarms/metrics';
import { type TokenKey } from '../../core/tokens/token-key';
import { momentOf } from '../../core/calls/moment';
import { StoreError } from '../../core/secrets/store-error';
import { type StoredToken } from '../../core/tokens/stored-token';
import { type IssuedToken } from '../../core/tokens/token-answer';
import { TokenError } from '../../core/tokens/token-errors';
import { type ClientCredentials, type CredentialStore } from '../shared/ports';
import { ANY_FAILING, tenantAtInterface } from './refresh-memory';
import { requestToken, type RequestTokenPorts, throwIfRemembered, waitUntilAllowed } from './request-token';
import { isRejected, type Requirement } from './requirement';

const REFUSAL_REMEMBERED_MS = 60_000;
/** Part of a renewal's time that is reserved for the write, in ms: a token that is issued but not stored is wasted. */
export const WRITE_RESERVE_MS = 1_500;
const REFUSALS: readonly TokenFault[] = REFUSAL_FAULTS;

export interface MintTokenPorts extends RequestTokenPorts {
  credentials: CredentialStore;
}

/** A new token, the credential that obtained it, and what happened on the way. */
export interface MintedToken {
  issued: IssuedToken;
  credentialVersionId: string;
  credentialCreatedAtMs: number | undefined;
  /** Number of requests that were sent with this credential. */
  requests: number;
  /** A fault that did not prevent the token. */
  fault: TokenFault | undefined;
  /** The current credential, if the platform refused it and a former one obtained the token. */
  refused?: { versionId: string | undefined; error: TokenError };
  /** Deadline of the renewal, in ms by the monotonic clock: later than the requirement's if the request had to wait. */
  deadlineMs: number;
}

/** The token to replace. */
interface Replaced {
  token: StoredToken | undefined;
  /** Whether callers need another token. Otherwise it still serves, so only the current credential may obtain the new one. */
  needsAnother: boolean;
}

/**
 * Requests a new token from the platform, which must differ from the stored one. Fails without a request while this
 * process remembers a recent failure of the tenant: an outage, or a refusal of this credential.
 *
 * Uses the current credential. If the platform refuses it and a new token is needed, uses the credential that obtained the
 * stored token, unless that one was revoked.
 * @throws {StoreError | TokenError}
 */
export async function mintToken(
  ports: MintTokenPorts,
  key: TokenKey,
  { token: stored, needsAnother }: Replaced,
  requirement: Requirement,
): Promise<MintedToken> {
  throwIfTenantFails(ports, key);
  await waitUntilAllowed(ports, key, requirement.deadlineMs - WRITE_RESERVE_MS);
  const deadlineMs = (await requirement.awaitTurn?.()) ?? requirement.deadlineMs;
  const request = { key, stored, requirement, endsAtMs: deadlineMs - WRITE_RESERVE_MS };
  try {
    return { ...(await mintWithCurrent(ports, request)), deadlineMs };
  } catch (error) {
    const formerId = needsAnother ? stored?.credentialVersionId : undefined;
    if (formerId === undefined || !isRefusal(error)) throw error;
    return { ...(await mintWithFormer(ports, request, formerId, error)), deadlineMs };
  }
}

/** @throws {TokenError} the tenant's last failure, while another attempt would delay tenants that do not fail */
function throwIfTenantFails({ clock, memory }: MintTokenPorts, key: TokenKey): void {
  const tenant = tenantAtInterface(key);
  if (!memory.failing.has(tenant)) return;
  const now = momentOf(clock);
  const isSweep = memory.pace !== undefined;
  const sharedOutage = memory.outages.find(isSweep ? key.interface : ANY_FAILING, now);
  if (sharedOutage !== undefined) throwIfRemembered(memory.outages.find(tenant, now) ?? sharedOutage);
}

/** A token to request before `endsAtMs`, by the monotonic clock. */
interface MintRequest {
  key: TokenKey;
  stored: StoredToken | undefined;
  requirement: Requirement;
  endsAtMs: number;
}

type MintResult = Omit<MintedToken, 'deadlineMs'>;

/** If the platform refuses a credential that was read for an earlier token, reads it again: it may have been rotated. */
async function mintWithCurrent(ports: MintTokenPorts, request: MintRequest): Promise<MintResult> {
  const { clock, credentials, memory } = ports;
  const { key, endsAtMs } = request;
  const leftMs = () => endsAtMs - clock.monotonicMs();
  const credential = await credentials.read(key, leftMs());
  try {
    return await requestWith(ports, request, credential);
  } catch (refusal) {
    if (credential.isShared !== true || !isRefusal(refusal)) throw refusal;
    credentials.forget?.(key);
    const current = await credentials.read(key, leftMs()).catch((failure: unknown) => {
      // Throw the refusal: after it, the former credential may still obtain a token.
      throw failure instanceof StoreError ? refusal : failure;
    });
    if (current.versionId === credential.versionId) throw refusal;
    // The turn was for one request.
    memory.pace?.sent(clock);
    return requestWith(ports, request, current);
  }
}

/** @param refusal of the current credential */
async function mintWithFormer(
  ports: MintTokenPorts,
  request: MintRequest,
  formerId: string,
  refusal: TokenError,
): Promise<MintResult> {
  const { clock, credentials, memory } = ports;
  const throwBoth = (failure: unknown): never => {
    if (!(failure instanceof TokenError || failure instanceof StoreError)) throw failure;
    // Keep the code of the refusal: a person must replace the current credential.
    throw refusal.with({ message: `${refusal.message}; with the former credential: ${failure.message}` });
  };
  const leftMs = request.endsAtMs - clock.monotonicMs();
  const former = await credentials.former(request.key, formerId, leftMs).catch(throwBoth);
  if (former === undefined) throw refusal;
  // The turn was for one request.
  memory.pace?.sent(clock);
  const minted = await requestWith(ports, request, former).catch(throwBoth);
  return { ...minted, refused: { versionId: former.currentVersionId, error: refusal } };
}

/** Whether the platform refused the credential or the scope, or the secret holds no credential. */
function isRefusal(error: unknown): error is TokenError {
  return error instanceof TokenError && REFUSALS.includes(error.fault);
}

async function requestWith(
  ports: MintTokenPorts,
  { key, stored, requirement, endsAtMs }: MintRequest,
  { clientId, clientSecret, versionId, createdAtMs }: ClientCredentials,
): Promise<MintResult> {
  const { clock, memory } = ports;
  const { tenantId } = key;
  const credentialRefusal = JSON.stringify([tenantId, versionId, key.interface]);
  const scopeRefusal = JSON.stringify([tenantId, versionId, key.interface, key.scope]);
  throwIfRemembered(memory.refusals.find(credentialRefusal, momentOf(clock)));
  throwIfRemembered(memory.refusals.find(scopeRefusal, momentOf(clock)));
  if (clock.monotonicMs() >= endsAtMs) {
    throw new TokenError('platform_unavailable', 'no time left to ask the issuer');
  }

  try {
    const request = { tenantId, tokenType: key, clientId, clientSecret };
    const { issued, attempts, survived } = await requestToken(ports, request, endsAtMs);
    memory.failing.delete(tenantAtInterface(key));
    throwIfSame(issued, stored, requirement);
    return {
      issued,
      credentialVersionId: versionId,
      credentialCreatedAtMs: createdAtMs,
      requests: attempts,
      fault: survived?.fault ?? faultOfIssued(issued),
    };
  } catch (error) {
    countFailing(memory, key);
    if (!(error instanceof TokenError) || error.code === 'platform_unavailable') throw error;
    const name = error.code === 'credential_refused' ? credentialRefusal : scopeRefusal;
    memory.refusals.remember(name, error, momentOf(clock), REFUSAL_REMEMBERED_MS);
    throw error.with({ retryAfterMs: REFUSAL_REMEMBERED_MS });
  }
}

/**
 * Accepts the stored token again only if the issuer returns the same one for a while and no caller reports it as rejected. Its expiry
 * cannot be extended: only the platform knows when it was issued.
 * @throws {TokenError} `bad_platform_answer`
 */
function throwIfSame(issued: IssuedToken, stored: StoredToken | undefined, requirement: Requirement): void {
  // eslint-disable-next-line no-restricted-syntax -- both tokens come from the platform
  if (issued.accessToken !== stored?.accessToken) return;
  const { sameUntilMs } = issued;
  if (sameUntilMs !== undefined && !isRejected(stored, requirement)) return;
  const until = sameUntilMs === undefined ? '' : `, as it does until ${new Date(sameUntilMs).toISOString()}`;
  const message = `the issuer returned the token that is already stored${until}`;
  throw new TokenError('bad_platform_answer', message);
}

/** Counts a failure in a row. The tenant that failed latest is last in the map. */
function countFailing({ failing }: MintTokenPorts['memory'], key: TokenKey): void {
  const tenant = tenantAtInterface(key);
  const failures = (failing.get(tenant) ?? 0) + 1;
  failing.delete(tenant);
  failing.set(tenant, failures);
}

function faultOfIssued({ isLifeAssumed, isClockSkewed }: IssuedToken): TokenFault | undefined {
  if (isLifeAssumed) return 'life_assumed';
  return isClockSkewed === true ? 'clock_skew' : undefined;
}
