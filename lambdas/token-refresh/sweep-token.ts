import { MAX_UNSEEN_MS } from '../../core/events/secret-change';
import { StoreError } from '../../core/secrets/store-error';
import { type TokenError } from '../../core/tokens/token-errors';
import { type TenantKey } from '../../core/tokens/token-key';
import { dueFromMs, isDue } from '../../core/tokens/token-lifetime';
import { type TokenReport } from './record-sweep-metrics';
import { NO_VERSION } from './refresh-memory';
import {
  asTokenError,
  countFailure,
  countFault,
  mayRenewAhead,
  refreshToken,
  type RefreshTokenPorts,
  renewalDeadlineMs,
} from './refresh-token';
import { type SweptToken } from './sweep-order';
import { type SweptCredentials } from './swept-credentials';

/** How long a sweep relies on a token in memory: three sweeps. Another writer may have replaced the stored one. */
const MAX_MEMORY_MS = 14 * 60_000;

export interface SweepTimes {
  /** Its end, in ms by the monotonic clock. */
  endsAtMs: number;
  /** No token request starts after this, in ms by the monotonic clock. */
  lastTurnMs: number;
  /** Tokens that may be due before this, in ms since the epoch, are renewed ahead of time. */
  renewBeforeMs: number;
  /** Whether events report changed secrets, so that memory stays valid for longer. */
  hasChangeEvents: boolean;
}

/** A token had no turn before the end of the sweep. */
class NoTurnError extends Error {
  override readonly name = 'NoTurnError';
}

/** The current version of a tenant's credential, or why it could not be read. */
export interface CredentialVersion {
  versionId?: string;
  failure?: TokenError;
}

/** Renews one token of a sweep if necessary. Every failure is in the report. */
export async function sweepToken(
  ports: RefreshTokenPorts & { credentials: SweptCredentials },
  token: SweptToken,
  versionOfCredential: (tenant: TenantKey) => Promise<CredentialVersion>,
  { endsAtMs, lastTurnMs, renewBeforeMs, hasChangeEvents }: SweepTimes,
): Promise<TokenReport> {
  const { clock, credentials, memory, metrics, tokens } = ports;
  const { key, name } = token;
  const deadlineMs = renewalDeadlineMs(clock, endsAtMs);
  const failed = (failure: TokenError): TokenReport => {
    // A person may have replaced the credential since it was read.
    credentials.forget(key);
    return { ...token, outcome: failure.code, failure };
  };
  const awaitTurn = async (): Promise<number> => {
    if (!(await memory.pace!.awaitTurn(clock, lastTurnMs))) throw new NoTurnError('no time left');
    return renewalDeadlineMs(clock, endsAtMs);
  };
  // A version that was seen recently is not read again: a renewal reads the credential anyway.
  const seenId = hasChangeEvents ? memory.seenCredential(key.tenantId, clock.monotonicMs()) : undefined;
  const usesSeenVersion =
    seenId !== undefined && seenId === memory.stored.get(name)?.token?.credentialVersionId;
  try {
    const { versionId, failure: versionFailure } = usesSeenVersion ? {} : await versionOfCredential(key);
    if (versionId === NO_VERSION) {
      const entry = await tokens.read(key, deadlineMs - clock.monotonicMs(), false);
      memory.keep(name, entry, clock.monotonicMs());
      if (entry.token === undefined) return { ...token, outcome: 'not_loaded' };
    }
    // Without time for another request, do not renew ahead of time.
    const aheadMs = memory.pace!.hasTurn(clock, lastTurnMs) ? renewBeforeMs : 0;
    const maxMemoryMs = hasChangeEvents ? MAX_UNSEEN_MS : MAX_MEMORY_MS;
    const isRecent = clock.monotonicMs() - (memory.storedAtMs.get(name) ?? -Infinity) < maxMemoryMs;
    if (!isRecent || !isKnownFresh(ports, token, versionId, aheadMs)) {
      const { refreshed, failure } = await refreshToken(ports, key, {
        minValidityMs: 0,
        waitsForIssuer: true,
        credentialVersionId: versionId,
        renewBeforeMs,
        deadlineMs,
        awaitTurn,
      });
      if (failure !== undefined) return { ...failed(failure), isRenewed: refreshed };
      if (refreshed) {
        // The current credential obtained the new token, so the unknown version does not matter.
        if (versionFailure !== undefined) countFault(metrics, versionFailure.fault);
        return { ...token, outcome: 'refreshed' };
      }
    }
    if (versionFailure === undefined) return { ...token, outcome: 'fresh' };
    countFailure(metrics, versionFailure, undefined);
    return failed(versionFailure);
  } catch (error) {
    if (error instanceof NoTurnError) {
      const { versionId } = await versionOfCredential(key);
      return versionId === undefined
        ? { ...token, outcome: 'skipped' }
        : withoutTurn(ports, token, versionId);
    }
    const failure = asTokenError(error);
    // refreshToken has already counted the errors that it throws.
    if (error instanceof StoreError) countFailure(metrics, failure, undefined);
    return failed(failure);
  }
}

/**
 * The report of a token that gets no turn.
 * @param versionId of the credential; undefined if the sweep has no time left to read it
 */
export function withoutTurn(
  ports: RefreshTokenPorts,
  token: SweptToken,
  versionId: string | undefined,
): TokenReport {
  // A refusal ends only when the credential's version is read again.
  const isRefused = versionId === undefined && ports.memory.refused.has(token.name);
  const isFresh = !isRefused && isKnownFresh(ports, token, versionId, 0);
  return { ...token, outcome: isFresh ? 'fresh' : 'skipped' };
}

/** Whether the token in memory needs no renewal: it is not due, and `versionId`, if known, obtained it. */
function isKnownFresh(
  { clock, memory }: RefreshTokenPorts,
  { key, name }: SweptToken,
  versionId: string | undefined,
  renewBeforeMs: number,
): boolean {
  const token = memory.stored.get(name)?.token;
  const nowMs = clock.nowMs();
  if (token === undefined || isDue(key, token, nowMs)) return false;
  if (dueFromMs(token) < renewBeforeMs && mayRenewAhead(token, nowMs)) return false;
  return versionId === undefined || versionId === token.credentialVersionId;
}
