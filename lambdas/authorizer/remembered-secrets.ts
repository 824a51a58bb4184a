import { MAX_REVOKED_ACCEPTED_SEC } from '../../core/tokens/lifetimes';
import { type AcceptedSecret, findAccepted } from '../../core/secrets/accepted-secret';
import { elapsedMs, type Moment, momentOf } from '../../core/calls/moment';
import { type Clock } from '../shared/ports';

/** How long a lookup is cached at most, and so how long a revoked key may still be accepted. */
const CACHED_MS = MAX_REVOKED_ACCEPTED_SEC * 1000;
/** When a cached lookup is repeated: early enough that it can fail a few times before the cache expires. */
const REFRESH_AFTER_MS = CACHED_MS / 2;
/**
 * Minimum time between two lookups of unknown secrets. Lookups that find the secret do not count, because a new key may be
 * used right after one.
 */
const LOOKUP_INTERVAL_MS = 2_000;

type LookUp = () => Promise<readonly AcceptedSecret[]>;

/** The secrets of one tenant and scheme, cached. However many secrets are presented, few lookups follow. */
export class RememberedSecrets {
  private readonly clock: Clock;
  private readonly retryAfterMs: number;
  private lastLookup: { secrets: readonly AcceptedSecret[]; at: Moment } | undefined;
  /** When an unknown secret was last looked up. */
  private unknownAt: Moment | undefined;
  private lastFailure: { error: unknown; at: Moment } | undefined;
  private pendingLookup: Promise<readonly AcceptedSecret[]> | undefined;

  /** @param retryAfterMs minimum time between a failed lookup and the next one */
  constructor(clock: Clock, retryAfterMs: number) {
    this.clock = clock;
    this.retryAfterMs = retryAfterMs;
  }

  /**
   * Finds a presented secret, in the cache or by a lookup.
   * @throws the error of the lookup, or of one that failed just now, unless the secret is cached
   */
  async find(digest: Buffer, lookUp: LookUp): Promise<AcceptedSecret | undefined> {
    for (;;) {
      const now = momentOf(this.clock);
      const cached = this.findCached(digest, now);
      if (!this.needsLookup(cached, now)) return cached;
      const isOwn = this.pendingLookup === undefined;
      try {
        const secrets = await (this.pendingLookup ??= this.load(lookUp, now).finally(
          () => (this.pendingLookup = undefined),
        ));
        // A secret may have expired during the lookup, and another request's lookup may have taken too long to trust.
        const after = momentOf(this.clock);
        const accepted = isOwn ? findAccepted(secrets, digest, after.wallMs) : this.findCached(digest, after);
        if (accepted !== undefined) return accepted;
      } catch (error) {
        const stillCached = this.findCached(digest, momentOf(this.clock));
        if (stillCached !== undefined) return stillCached;
        throw error;
      }
      if (isOwn) {
        this.unknownAt = now;
        return undefined;
      }
      // Another request's lookup began earlier, so it may have missed a secret that is new.
    }
  }

  private findCached(digest: Buffer, now: Moment): AcceptedSecret | undefined {
    if (!isWithin(CACHED_MS, this.lastLookup?.at, now)) return undefined;
    return findAccepted(this.lastLookup!.secrets, digest, now.wallMs);
  }

  private needsLookup(cached: AcceptedSecret | undefined, now: Moment): boolean {
    return cached === undefined
      ? !isWithin(LOOKUP_INTERVAL_MS, this.unknownAt, now)
      : !isWithin(REFRESH_AFTER_MS, this.lastLookup?.at, now);
  }

  private async load(lookUp: LookUp, at: Moment): Promise<readonly AcceptedSecret[]> {
    if (isWithin(this.retryAfterMs, this.lastFailure?.at, at)) throw this.lastFailure!.error;
    try {
      const secrets = await lookUp();
      this.lastLookup = { secrets, at };
      return secrets;
    } catch (error) {
      this.lastFailure = { error, at: momentOf(this.clock) };
      throw error;
    }
  }
}

function isWithin(ms: number, since: Moment | undefined, now: Moment): boolean {
  return since !== undefined && elapsedMs(since, now) < ms;
}
