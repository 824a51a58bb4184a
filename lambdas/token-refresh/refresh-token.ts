import { tokenBaseUrl, type PlatformAddresses } from '../../contract/deployment-file';
import { type TokenKey } from '../../contract/token-key';
import { sha256Hex } from '../shared/domain/digest';
import { StoreError } from '../shared/domain/store-error';
import { storedTokenOf, type StoredToken } from '../shared/domain/stored-token';
import { type IssuedToken } from '../shared/domain/token-answer';
import { PlatformUnavailableError, TokenError } from '../shared/domain/token-errors';
import { isDue, tokenKeyText } from '../shared/domain/token-lifetime';
import { nextWriteAllowedAtMs } from '../shared/domain/write-budget';
import { type CredentialStore, type TokenEntry, type TokenStore } from '../shared/ports';
import { type RefreshMemory } from './refresh-memory';
import { requestToken, type RequestTokenPorts } from './request-token';

const REFUSAL_REMEMBERED_MS = 60_000;
const OUTAGE_REMEMBERED_MS = 10_000;
/** After that many writes that failed or came second, the next sweep goes on. */
const WRITE_ROUNDS = 5;
const WRITE_BACKOFF_BASE_MS = 250;

export interface RefreshTokenPorts extends RequestTokenPorts {
  tokens: TokenStore;
  credentials: CredentialStore;
  memory: RefreshMemory;
  platform: PlatformAddresses;
}

/** What a caller needs of a token. */
export interface Demand {
  minValidityMs: number;
  /** Digest of a token that the platform refused: if the stored one is that, it does not serve. */
  rejectedTokenSha256?: string | undefined;
  /** The current credential: a token of an older one still serves, but is replaced. */
  credentialVersionId?: string | undefined;
  /** No request is begun or repeated after this time. */
  deadlineMs: number;
}

/** The token that is stored now. */
export interface RefreshOutcome {
  arn: string;
  versionId: string;
  expiresAtMs: number;
  refreshed: boolean;
  /** Why a token that should have been replaced was not, though it still serves. */
  failure?: TokenError;
}

/**
 * Keeps the stored token of one key usable. Requests a token only when the stored one is missing, due, refused or of a
 * retired credential, so running it twice, or in two places at once, is harmless.
 * @throws {TokenError} when no usable token is stored in the end; what was stored is then left as it was
 * @see RFC 6749, section 4.4 (client credentials grant)
 */
export async function refreshToken(
  ports: RefreshTokenPorts,
  key: TokenKey,
  demand: Demand,
): Promise<RefreshOutcome> {
  const entry = await readEntry(ports, key);
  try {
    return await replaceWhereNeeded(ports, key, demand, entry);
  } catch (error) {
    const failure = asTokenError(error);
    countFailure(ports, failure);
    if (!serves(entry.token, demand, ports.clock.nowMs())) throw failure;
    return { ...storedOutcome(ports, key, entry), failure };
  }
}

async function replaceWhereNeeded(
  ports: RefreshTokenPorts,
  key: TokenKey,
  demand: Demand,
  entry: TokenEntry,
): Promise<RefreshOutcome> {
  const nowMs = ports.clock.nowMs();
  const { token } = entry;
  const isRejected = token !== undefined && demand.rejectedTokenSha256 === sha256Hex(token.accessToken);
  const isOfRetiredCredential =
    demand.credentialVersionId !== undefined && token?.credentialVersionId !== demand.credentialVersionId;
  if (token !== undefined && !isRejected && !isOfRetiredCredential && !isDue(key, token.expiresAtMs, nowMs)) {
    return storedOutcome(ports, key, entry);
  }
  checkBudget(token, nowMs, isRejected && token.expiresAtMs > nowMs);
  const { issued, credentialVersionId } = await requestNewToken(ports, key, demand);
  if (issued.accessToken === token?.accessToken) {
    // Its life is not extended: only the platform knows when it really began.
    throw new TokenError(
      'bad_platform_answer',
      'the platform answered with the very token that is stored already',
    );
  }
  return store(ports, key, demand, entry, issued, credentialVersionId);
}

async function readEntry({ tokens }: RefreshTokenPorts, key: TokenKey): Promise<TokenEntry> {
  try {
    return await tokens.read(key);
  } catch (error) {
    throw asTokenError(error);
  }
}

function checkBudget(token: StoredToken | undefined, nowMs: number, isForced: boolean): void {
  const allowedAtMs = nextWriteAllowedAtMs(token?.writesMs ?? [], nowMs, isForced);
  if (allowedAtMs === undefined) return;
  throw new TokenError('write_budget_spent', 'the token was renewed too often in the last 24 hours', {
    retryAfterMs: allowedAtMs - nowMs,
  });
}

async function requestNewToken(ports: RefreshTokenPorts, key: TokenKey, demand: Demand) {
  const { clock, credentials, memory, metrics } = ports;
  const baseUrl = tokenBaseUrl(ports.platform, key.interface);
  if (baseUrl === undefined) {
    throw new TokenError(
      'unknown_token_key',
      `no token endpoint is configured for the ${key.interface} interface`,
    );
  }
  const outageName = JSON.stringify([baseUrl, key.tenantId]);
  throwIfRemembered(memory.breaker.find(baseUrl, clock.nowMs()));
  throwIfRemembered(memory.outages.find(outageName, clock.nowMs()));

  const credential = await credentials.read(key);
  if (credential === undefined) {
    throw new TokenError('not_loaded', `no client credentials are loaded for tenant ${key.tenantId}`);
  }
  const refusedPair = JSON.stringify([key.tenantId, credential.versionId, key.interface]);
  const refusedScope = JSON.stringify([key.tenantId, credential.versionId, key.interface, key.scope]);
  throwIfRemembered(memory.refusals.find(refusedPair, clock.nowMs()));
  throwIfRemembered(memory.refusals.find(refusedScope, clock.nowMs()));

  try {
    const issued = await requestToken(
      ports,
      {
        baseUrl,
        tenantId: key.tenantId,
        target: key,
        clientId: credential.clientId,
        clientSecret: credential.clientSecret,
      },
      demand.deadlineMs,
    );
    memory.breaker.succeeded(baseUrl);
    if (issued.isLifeAssumed) metrics.count('LifeAssumed');
    return { issued, credentialVersionId: credential.versionId };
  } catch (error) {
    const nowMs = clock.nowMs();
    if (error instanceof PlatformUnavailableError) {
      memory.outages.remember(outageName, error, nowMs, error.retryAfterMs ?? OUTAGE_REMEMBERED_MS);
      memory.breaker.failed(baseUrl, key.tenantId, error, nowMs);
    } else if (error instanceof TokenError && error.code === 'credential_refused') {
      memory.refusals.remember(refusedPair, error, nowMs, REFUSAL_REMEMBERED_MS);
    } else if (error instanceof TokenError && error.code === 'scope_refused') {
      memory.refusals.remember(refusedScope, error, nowMs, REFUSAL_REMEMBERED_MS);
    }
    throw error;
  }
}

function throwIfRemembered(remembered: { error: TokenError; leftMs: number } | undefined): void {
  if (remembered === undefined) return;
  const { error, leftMs } = remembered;
  throw new TokenError(error.code, `${error.message}; not asked again so soon`, {
    cause: error,
    retryAfterMs: leftMs,
  });
}

/** Writes the new token over what was seen; whoever wrote in between wins if that token serves. */
async function store(
  ports: RefreshTokenPorts,
  key: TokenKey,
  demand: Demand,
  read: TokenEntry,
  issued: IssuedToken,
  credentialVersionId: string,
): Promise<RefreshOutcome> {
  const { tokens, clock, random, metrics } = ports;
  const entryToWrite = (over: TokenEntry) =>
    storedTokenOf(issued, credentialVersionId, over.token?.writesMs ?? [], clock.nowMs());
  let seen = read;
  let token = entryToWrite(seen);
  for (let round = 1; round <= WRITE_ROUNDS; round += 1) {
    let isConflict = false;
    try {
      const outcome = await tokens.compareAndSet(key, seen, token);
      if (outcome.kind === 'written') {
        metrics.count('TokenRenewed');
        return {
          ...storedOutcome(ports, key, { ...seen, versionId: outcome.versionId, token }),
          refreshed: true,
        };
      }
      isConflict = true;
    } catch (error) {
      const waitMs = random() * WRITE_BACKOFF_BASE_MS * 2 ** round;
      const isRetryable = error instanceof StoreError && error.isRetryable;
      if (!isRetryable || clock.nowMs() + waitMs >= demand.deadlineMs) throw error;
      await clock.sleep(waitMs);
    }
    const current = await tokens.read(key);
    if (current.versionId !== seen.versionId) {
      if (current.token?.accessToken === issued.accessToken) {
        // The write had been done, only its acknowledgement was lost.
        return { ...storedOutcome(ports, key, current), refreshed: true };
      }
      const nowMs = clock.nowMs();
      if (serves(current.token, demand, nowMs) && !isDue(key, current.token!.expiresAtMs, nowMs)) {
        return storedOutcome(ports, key, current);
      }
      seen = current;
      token = entryToWrite(seen);
    } else if (isConflict) {
      seen = { ...current, attempt: seen.attempt + 1 };
    }
  }
  throw new TokenError('store_unavailable', 'the token secret could not be written');
}

function serves(token: StoredToken | undefined, demand: Demand, nowMs: number): boolean {
  return (
    token !== undefined &&
    token.expiresAtMs - nowMs >= Math.max(demand.minValidityMs, 1) &&
    demand.rejectedTokenSha256 !== sha256Hex(token.accessToken)
  );
}

function storedOutcome({ memory }: RefreshTokenPorts, key: TokenKey, entry: TokenEntry): RefreshOutcome {
  const { expiresAtMs, credentialVersionId } = entry.token!;
  memory.stored.set(tokenKeyText(key), { expiresAtMs, credentialVersionId });
  return { arn: entry.secretArn, versionId: entry.versionId!, expiresAtMs, refreshed: false };
}

function countFailure({ metrics }: RefreshTokenPorts, failure: TokenError): void {
  if (failure.code !== 'not_loaded') metrics.count('TokenRenewalFailed');
  if (failure.code === 'write_budget_spent') metrics.count('WriteBudgetSpent');
  if (failure.code === 'credential_refused') metrics.count('CredentialRefused');
}

function asTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error;
  if (error instanceof StoreError)
    return new TokenError('store_unavailable', error.message, { cause: error });
  throw error;
}
