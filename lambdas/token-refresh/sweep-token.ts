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

/** How long a sweep relies on its memory of a token: another writer may have replaced it. Three sweeps. */
const MAX_MEMORY_MS = 14 * 60_000;

/** Times of a sweep. */
export interface SweepTimes {
  /** Its end, in ms by the monotonic clock. */
  endsAtMs: number;
  /** When no token request starts any more, in ms by the monotonic clock. */
  lastTurnMs: number;
  /** See {@link aheadOf}. */
  renewBeforeMs: number;
  /** Whether events tell which secrets changed, so that memory is relied on for longer. */
  hearsOfChanges: boolean;
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

export async function sweepToken(
  ports: RefreshTokenPorts & { credentials: SweptCredentials },
  token: SweptToken,
  versionOfCredential: (tenant: TenantKey) => Promise<CredentialVersion>,
  { endsAtMs, lastTurnMs, renewBeforeMs, hearsOfChanges }: SweepTimes,
): Promise<TokenReport> {
  const { clock, credentials, memory, metrics, tokens } = ports;
  const { key, name } = token;
  const deadlineMs = renewalDeadlineMs(clock, endsAtMs);
  const failed = (failure: TokenError): TokenReport => {
    // A person may have replaced it since.
    credentials.forget(key);
    return { ...token, outcome: failure.code, failure };
  };
  const awaitTurn = async (): Promise<number> => {
    if (!(await memory.pace!.turn(clock, lastTurnMs))) throw new NoTurnError('no time left');
    return renewalDeadlineMs(clock, endsAtMs);
  };
  const seenId = hearsOfChanges ? memory.seenCredential(key.tenantId, clock.monotonicMs()) : undefined;
  const isOfSeen = seenId !== undefined && seenId === memory.stored.get(name)?.token?.credentialVersionId;
  try {
    // A renewal reads the credential anyway.
    const { versionId, failure: unseen } = isOfSeen ? {} : await versionOfCredential(key);
    if (versionId === NO_VERSION) {
      const entry = await tokens.read(key, deadlineMs - clock.monotonicMs(), false);
      memory.keep(name, entry, clock.monotonicMs());
      if (entry.token === undefined) return { ...token, outcome: 'not_loaded' };
    }
    // Without a turn ahead of time, it is renewed once it is due.
    const aheadMs = memory.pace!.hasTurn(clock, lastTurnMs) ? renewBeforeMs : 0;
    const maxMemoryMs = hearsOfChanges ? MAX_UNSEEN_MS : MAX_MEMORY_MS;
    const isRecent = clock.monotonicMs() - (memory.storedAtMs.get(name) ?? -Infinity) < maxMemoryMs;
    if (!isRecent || !isKnownFresh(ports, token, versionId, aheadMs)) {
      const credentialVersionId = versionId;
      const { refreshed, failure } = await refreshToken(ports, key, {
        minValidityMs: 0,
        waitsForIssuer: true,
        credentialVersionId,
        renewBeforeMs,
        deadlineMs,
        awaitTurn,
      });
      if (failure !== undefined) return { ...failed(failure), isRenewed: refreshed };
      if (refreshed) {
        // The new token is of the current credential, so the unknown version does not matter.
        if (unseen !== undefined) countFault(metrics, unseen.fault);
        return { ...token, outcome: 'refreshed' };
      }
    }
    if (unseen === undefined) return { ...token, outcome: 'fresh' };
    countFailure(metrics, unseen, undefined);
    return failed(unseen);
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

/** @param versionId of the credential; undefined if the sweep has no time left to read it */
export function withoutTurn(
  ports: RefreshTokenPorts,
  token: SweptToken,
  versionId: string | undefined,
): TokenReport {
  // Only a look at the credential's version ends a refusal.
  const isRefused = versionId === undefined && ports.memory.refused.has(token.name);
  const isFresh = !isRefused && isKnownFresh(ports, token, versionId, 0);
  return { ...token, outcome: isFresh ? 'fresh' : 'skipped' };
}

/** Whether the token last read is not due, and of that credential version if the version is known. */
function isKnownFresh(
  { clock, memory }: RefreshTokenPorts,
  { key, name }: SweptToken,
  versionId: string | undefined,
  renewBeforeMs: number,
): boolean {
  const known = memory.stored.get(name)?.token;
  const nowMs = clock.nowMs();
  if (known === undefined || isDue(key, known, nowMs)) return false;
  if (dueFromMs(known) < renewBeforeMs && mayRenewAhead(known, nowMs)) return false;
  return versionId === undefined || versionId === known.credentialVersionId;
}
