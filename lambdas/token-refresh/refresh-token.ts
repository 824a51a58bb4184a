import { BLOCKING_FAULTS, MIN_RENEWAL_INTERVAL_MS, type TokenFault } from '../../core/alarms/metrics';
import { type TokenKey, tokenKeyText } from '../../core/tokens/token-key';
import { faultOf, StoreError } from '../../core/secrets/store-error';
import { type StoredToken } from '../../core/tokens/stored-token';
import { TokenError } from '../../core/tokens/token-errors';
import { dueFromMs, isDue } from '../../core/tokens/token-lifetime';
import { nextWriteAllowedAtMs } from '../../core/secrets/write-budget';
import { type ChangeEvents, type Clock, type Metrics, type TokenEntry } from '../shared/ports';
import { mintToken, type MintTokenPorts } from './mint-token';
import { type Requirement, serves } from './requirement';
import { checkWriteBudget, storeToken, type StoreTokenPorts } from './store-token';

/** Time limit of a renewal: three attempts with their waits, and the write. */
const RENEWAL_MS = 10_000;

const BLOCKING: readonly TokenFault[] = BLOCKING_FAULTS;

export type RefreshTokenPorts = MintTokenPorts &
  StoreTokenPorts & {
    /** Absent if the deployment sends no events. */
    events?: ChangeEvents | undefined;
  };

export interface RefreshOutcome {
  arn: string;
  versionId: string;
  expiresAtMs: number;
  refreshed: boolean;
  /**
   * If the token was not replaced but should have been: why not. It still serves. If it was replaced: why a former credential
   * obtained the new one.
   */
  failure?: TokenError;
}

/**
 * Keeps the stored token of one key usable. Requests a token only if the stored one is missing, due or refused, or if a retired
 * credential obtained it. So repeated or concurrent runs are harmless.
 * @throws {TokenError} if no usable token is stored in the end; the secret is then unchanged
 * @see RFC 6749, section 4.4 (client credentials grant)
 */
export async function refreshToken(
  ports: RefreshTokenPorts,
  key: TokenKey,
  requirement: Requirement,
): Promise<RefreshOutcome> {
  const { clock, memory, metrics, tokens } = ports;
  const seen: { last?: TokenEntry } = {};
  const keep = (entry: TokenEntry) => {
    seen.last = entry;
    memory.keep(tokenKeyText(key), entry, clock.monotonicMs());
  };
  try {
    const read = await tokens.read(key, requirement.deadlineMs - clock.monotonicMs());
    keep(read);
    return await replaceIfNeeded(ports, key, requirement, read, keep);
  } catch (error) {
    const failure = asTokenError(error);
    countFailure(metrics, failure, seen.last?.token);
    // While the store is down, the token that was last read still serves. Not if the caller reports a refused token,
    // because that may be the one that is stored now.
    const isTemporary = error instanceof StoreError && error.isRetryable;
    const mayRemember = isTemporary && requirement.rejectedTokenSha256 === undefined;
    const serving = seen.last ?? (mayRemember ? memory.stored.get(tokenKeyText(key)) : undefined);
    if (serving === undefined || !serves(serving.token, requirement, clock.nowMs())) throw failure;
    return { ...outcomeOf(serving), failure };
  }
}

async function replaceIfNeeded(
  ports: RefreshTokenPorts,
  key: TokenKey,
  requirement: Requirement,
  read: TokenEntry,
  keep: (entry: TokenEntry) => void,
): Promise<RefreshOutcome> {
  const { clock, metrics } = ports;
  const nowMs = clock.nowMs();
  if (!needsReplacing(key, read.token, requirement, nowMs)) return outcomeOf(read);
  checkWriteBudget(key, read.token, requirement, nowMs);
  const minted = await mintToken(
    ports,
    key,
    { token: read.token, needsAnother: isNeeded(key, read.token, requirement, nowMs) },
    requirement,
  );
  const {
    entry,
    isOurs,
    fault = minted.fault,
  } = await storeToken(ports, key, requirement, read, keep, minted);
  if (isOurs) {
    metrics.count('TokenRenewed');
    ports.events?.tokenRenewed(key, entry);
  }
  if (fault !== undefined) countFault(metrics, fault);
  const failure = minted.refused?.error;
  if (failure !== undefined) countFailure(metrics, failure, entry.token);
  else countExcess(metrics, minted.requests - (isOurs && isOldEnough(read.token, nowMs) ? 1 : 0));
  keep(entry);
  return { ...outcomeOf(entry), refreshed: isOurs, ...(failure && { failure }) };
}

function needsReplacing(
  key: TokenKey,
  token: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): boolean {
  const { credentialVersionId, renewBeforeMs = 0 } = requirement;
  return (
    isNeeded(key, token, requirement, nowMs) ||
    (token !== undefined && dueFromMs(token) < renewBeforeMs && mayRenewAhead(token, nowMs)) ||
    (credentialVersionId !== undefined && credentialVersionId !== token?.credentialVersionId)
  );
}

/** Whether a renewal ahead of time leaves the write budget to those that are due. */
export function mayRenewAhead({ writesMs }: StoredToken, nowMs: number): boolean {
  return nextWriteAllowedAtMs(writesMs, nowMs, true) === undefined;
}

/** Whether callers need another token, whatever credential obtains it. */
function isNeeded(
  key: TokenKey,
  token: StoredToken | undefined,
  requirement: Requirement,
  nowMs: number,
): boolean {
  return !serves(token, requirement, nowMs) || isDue(key, token, nowMs);
}

function outcomeOf(entry: TokenEntry): RefreshOutcome {
  const { expiresAtMs } = entry.token!;
  return { arn: entry.secretArn, versionId: entry.versionId!, expiresAtMs, refreshed: false };
}

/** Deadline of a renewal that starts now, in ms by the monotonic clock; `endsAtMs` at the latest. */
export function renewalDeadlineMs(clock: Clock, endsAtMs: number): number {
  return Math.min(clock.monotonicMs() + RENEWAL_MS, endsAtMs);
}

/** Converts a failure of the platform or the store to the contract's codes. @throws any other error, which is a bug */
export function asTokenError(error: unknown): TokenError {
  if (error instanceof TokenError) return error;
  if (!(error instanceof StoreError)) throw error;
  return new TokenError('store_unavailable', error.message, { cause: error, fault: faultOf(error) });
}

/** Counts a renewal that met a fault. */
export function countFault(metrics: Metrics, fault: TokenFault): void {
  metrics.count('TokenFault', 1, { code: fault });
  if (BLOCKING.includes(fault)) metrics.count('TokenBlocked');
}

/** Counts requests beyond one for each renewal in its time. Failed renewals do not count: an outage has its own alarm. */
function countExcess(metrics: Metrics, requests: number): void {
  if (requests > 0) metrics.count('TokenRequestExcess', requests);
}

function isOldEnough(replaced: StoredToken | undefined, nowMs: number): boolean {
  return replaced === undefined || nowMs - replaced.issuedAtMs >= MIN_RENEWAL_INTERVAL_MS;
}

/** Counts a failed renewal. `not_loaded` counts only if a token is stored, which proves that a credential was loaded. */
export function countFailure(metrics: Metrics, { fault }: TokenError, stored: StoredToken | undefined): void {
  countFault(metrics, fault);
  if (fault === 'write_budget_spent') metrics.count('TokenWriteRefused');
  if (fault === 'not_loaded' && stored === undefined) return;
  metrics.count('TokenRenewalFailed');
}
