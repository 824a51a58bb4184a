import { type TokenKey } from '../../contract/token-key';
import { StoreError } from '../shared/domain/store-error';
import { type StoredToken } from '../shared/domain/stored-token';
import { TokenError } from '../shared/domain/token-errors';
import { isDue, tokenKeyText } from '../shared/domain/token-lifetime';
import { nextWriteAllowedAtMs } from '../shared/domain/write-budget';
import { type TokenEntry } from '../shared/ports';
import { type Demand, isRejected, serves } from './demand';
import { obtainToken, type ObtainTokenPorts } from './obtain-token';
import { type RefreshMemory } from './refresh-memory';
import { asTokenError, countFailure } from './renewal-failure';
import { storeToken, type StoreTokenPorts } from './store-token';

export type RefreshTokenPorts = ObtainTokenPorts & StoreTokenPorts;

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
  const { clock, memory, metrics, tokens } = ports;
  let entry: TokenEntry | undefined;
  try {
    entry = await tokens.read(key, demand.deadlineMs - clock.monotonicMs());
    return await replaceWhereNeeded(ports, key, demand, entry);
  } catch (error) {
    const failure = asTokenError(error);
    countFailure(metrics, failure, entry?.token);
    // What this process saw last still serves while the store cannot be read.
    const isPassing = error instanceof StoreError && error.isRetryable;
    const known = entry ?? (isPassing ? memory.stored.get(tokenKeyText(key)) : undefined);
    if (known === undefined || !serves(known.token, demand, clock.nowMs())) throw failure;
    return { ...stored(memory, key, known), failure };
  }
}

async function replaceWhereNeeded(
  ports: RefreshTokenPorts,
  key: TokenKey,
  demand: Demand,
  read: TokenEntry,
): Promise<RefreshOutcome> {
  const { clock, memory, metrics } = ports;
  const nowMs = clock.nowMs();
  if (!needsReplacing(key, read.token, demand, nowMs)) return stored(memory, key, read);
  checkBudget(read.token, demand, nowMs);
  const obtained = await obtainToken(ports, key, read.token, demand.deadlineMs);
  const { entry, isOurs, fault = obtained.fault } = await storeToken(ports, key, demand, read, obtained);
  if (isOurs) metrics.count('TokenRenewed');
  if (fault !== undefined) metrics.count('TokenFault', 1, { code: fault });
  return { ...stored(memory, key, entry), refreshed: isOurs };
}

function needsReplacing(
  key: TokenKey,
  token: StoredToken | undefined,
  demand: Demand,
  nowMs: number,
): boolean {
  const { credentialVersionId } = demand;
  return (
    token === undefined ||
    isRejected(token, demand) ||
    isDue(key, token.expiresAtMs, nowMs) ||
    (credentialVersionId !== undefined && credentialVersionId !== token.credentialVersionId)
  );
}

/** A renewal is forced if the stored token would go on but for the caller's word that it was refused. */
function checkBudget(token: StoredToken | undefined, demand: Demand, nowMs: number): void {
  if (token === undefined) return;
  const isForced = isRejected(token, demand) && token.expiresAtMs > nowMs;
  const allowedAtMs = nextWriteAllowedAtMs(token.writesMs, nowMs, isForced);
  if (allowedAtMs === undefined) return;
  throw new TokenError('write_budget_spent', 'the token was renewed too often in the last 24 hours', {
    retryAfterMs: allowedAtMs - nowMs,
  });
}

function stored(memory: RefreshMemory, key: TokenKey, entry: TokenEntry): RefreshOutcome {
  memory.stored.set(tokenKeyText(key), entry);
  const { expiresAtMs } = entry.token!;
  return { arn: entry.secretArn, versionId: entry.versionId!, expiresAtMs, refreshed: false };
}
