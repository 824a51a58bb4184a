import { DUE_BELOW_SEC, GUARANTEED_LIFE_SEC } from '../core/tokens/lifetimes';
import { sha256Hex } from '../core/secrets/sha256';
import { type TokenKey } from '../core/tokens/published-keys';
import { tokenKeyText } from '../core/tokens/token-key';
import { type AccessToken } from './access-token';
import { after, type Moment, now, timeLeftMs } from './clock';
import { readOrRenew, type ReadOrRenewPorts, refusedDigest, type ServingRule } from './read-or-renew';
import { RecentFailures } from './recent-failures';
import { RefusedTokens } from './refused-tokens';
import { type Renewal } from './renewal-event';
import { type CachedToken, TokenCache } from './token-cache';
import { type TokenUnavailableCode, TokenUnavailableError } from './token-unavailable-error';

const DUE_BELOW_MS = DUE_BELOW_SEC * 1000;
const GUARANTEED_LIFE_MS = GUARANTEED_LIFE_SEC * 1000;
/** Pause between two background renewals of a token, so that a failing Secrets Manager is not flooded. */
const QUIET_MS = { min: 15_000, jitter: 15_000 };
/** A longer flight belongs to a process that was frozen: its connection is broken, so callers start another one. */
const MAX_FLIGHT_MS = 45_000;
/** How long callers get the last failure without another read. */
const FAILURE_KEPT_SEC = 1;
/** How long a refused token that cannot be replaced is served before the next attempt. */
const REPLACING_PAUSED_MS = 60_000;
/** For a token of a request that is at fault. A real revocation is noticed this much later. */
const REJECTIONS_IGNORED_MS = 10 * 60_000;
/** A token younger than this was issued after its predecessor was refused, here or in another process. */
const NEW_FOR_MS = 60_000;
/** How long after an event an older token is read again: Secrets Manager may return the old version for a moment after a write. */
const OLD_VERSION_FOR_MS = 5_000;
/** Minimum time between two events that have a token read again, so that a sender of events cannot keep the cache empty. */
const EVENT_PAUSE_MS = 60_000;
/** How often an older token is read again for one event. */
const MAX_READS_OF_OLD = 5;
/** An event from further in the future than this is forged, or a clock is wrong. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** Maximum flights that a caller waits for. It needs another one if the token was refused in the meantime. */
const MAX_FLIGHTS = 4;
/** Attempts to read while there is no token at all, in addition to the SDK's own retries. */
const COLD_READ_TRIES = 3;

/** A background event of a token source. Holds no secrets, so it can be logged. */
export type TokenSourceEvent =
  /** A background renewal has started; the current token is still served. */
  | { readonly type: 'renewing'; readonly key: TokenKey; readonly lifeLeftSec: number }
  /** A renewal failed; the current token is still served. */
  | {
      readonly type: 'renewal_failed';
      readonly key: TokenKey;
      readonly lifeLeftSec: number;
      readonly code: TokenUnavailableCode;
      readonly message: string;
    }
  /** Another token is served from now on. */
  | {
      readonly type: 'token_changed';
      readonly key: TokenKey;
      readonly expiresAt: string;
      /** Remaining life, by the clock of Secrets Manager. */
      readonly lifeLeftSec: number;
      /** AWS region that it was read in. Only with the option `regions`. */
      readonly region?: string;
    }
  /** Another AWS region answers from now on. `reason` says why the former one does not; absent on its return. */
  | { readonly type: 'region_changed'; readonly from: string; readonly to: string; readonly reason?: string }
  /** A caller reported that an API refused a token; it is no longer served. */
  | { readonly type: 'token_refused'; readonly key: TokenKey };

export interface TokenSupplyOptions extends ReadOrRenewPorts {
  minValidityMs: number;
  /** The option `regions` of the source. */
  regions: readonly string[];
  onEvent: (event: TokenSourceEvent) => void;
}

/** A running read or renewal of a token, which all callers of its key share. */
interface Flight {
  done: Promise<void>;
  joinableUntil: Moment;
}

/**
 * The tokens of a process: one per key in memory, one flight per key for all callers that wait, and background renewal of
 * tokens that expire soon. Has no timers: it acts only when a caller asks for a token.
 */
export class TokenSupply implements ServingRule {
  readonly #ports: TokenSupplyOptions;
  readonly #cache = new TokenCache();
  readonly #flights = new Map<string, Flight>();
  readonly #refused: RefusedTokens;
  readonly #failures: RecentFailures;
  /** The latest renewal of each token in memory that an event reported, and until when reads look for it. */
  readonly #renewals = new Map<string, Renewal & { until: Moment; readsLeft: number }>();
  /** Until when events of a token change nothing. */
  readonly #eventPauses = new Map<string, Moment>();

  constructor(ports: TokenSupplyOptions) {
    this.#ports = ports;
    this.#refused = new RefusedTokens(ports.clock);
    this.#failures = new RecentFailures(ports.clock);
  }

  /** The token in memory, if it serves. This is the warm path of every call, so it allocates nothing. */
  find(key: TokenKey): AccessToken | undefined {
    const cached = this.#cache.find(key);
    if (cached === undefined || cached.isSuperseded) return undefined;
    const leftMs = timeLeftMs(cached.expiry, this.#ports.clock);
    if (leftMs < this.#ports.minValidityMs) return undefined;
    if (leftMs < DUE_BELOW_MS && !this.#isQuiet(cached)) this.#renewInBackground(cached, leftMs);
    return cached.token;
  }

  /** A token from memory or the store, otherwise a renewed one. @throws {TokenUnavailableError} */
  async obtain(key: TokenKey): Promise<AccessToken> {
    const name = tokenKeyText(key);
    for (let flight = 1; flight <= MAX_FLIGHTS; flight += 1) {
      const cached = this.#cache.find(key);
      if (cached !== undefined) {
        const isLatest = !cached.isSuperseded || flight > 1;
        if ((isLatest && this.serves(cached)) || this.#servesAsFallback(cached)) return cached.token;
      }
      await (this.#underWay(name) ?? this.#start(name, this.#fly(name, key)));
    }
    throw new TokenUnavailableError('no_usable_token', key, 'every new token is refused');
  }

  /**
   * Has the next caller read the secret, if the token in memory is older than one that was renewed. It still serves if that
   * read fails. Returns whether that changes anything.
   */
  supersede(renewal: Renewal): boolean {
    const { clock } = this.#ports;
    const name = tokenKeyText(renewal.key);
    const cached = this.#cache.find(renewal.key);
    if (cached === undefined && this.#underWay(name) === undefined) return false;
    if (renewal.renewedAtMs > clock.nowMs() + MAX_CLOCK_SKEW_MS) return false;
    if (cached !== undefined && (cached.isSuperseded || !this.#isOlder(cached, renewal))) return false;
    const pause = this.#eventPauses.get(name);
    if (pause !== undefined && timeLeftMs(pause, clock) > 0) return false;
    this.#eventPauses.set(name, after(now(clock), EVENT_PAUSE_MS));
    const until = after(now(clock), OLD_VERSION_FOR_MS);
    this.#renewals.set(name, { ...renewal, until, readsLeft: MAX_READS_OF_OLD });
    if (cached === undefined) return false;
    cached.isSuperseded = true;
    return true;
  }

  /** Stops serving a refused token under its key. Returns whether that changes anything. */
  refuse(key: TokenKey, accessToken: string): boolean {
    const sha256 = sha256Hex(accessToken);
    const cached = this.#cache.find(key);
    // Memory already holds another token, which serves.
    // eslint-disable-next-line no-restricted-syntax -- the process holds both tokens
    if (cached !== undefined && cached.sha256 !== sha256 && this.isAlive(cached)) return false;
    if (!this.#refused.add(key, sha256)) return false;
    if (cached !== undefined) this.#cache.drop(cached);
    this.#ports.onEvent({ type: 'token_refused', key });
    return true;
  }

  /** Whether this is the token in memory, and it was issued just now. */
  isNew(key: TokenKey, accessToken: string): boolean {
    const cached = this.#cache.find(key);
    // eslint-disable-next-line no-restricted-syntax -- the process holds both tokens
    if (cached?.sha256 !== sha256Hex(accessToken)) return false;
    const { issuedAt, expiresAt } = cached.token;
    // From the time to its expiry, because the machine's clock may be wrong.
    const lifeMs = Date.parse(expiresAt) - Date.parse(issuedAt);
    return lifeMs - timeLeftMs(cached.expiry, this.#ports.clock) < NEW_FOR_MS;
  }

  /** Assumes that the request is at fault, not the token: rejections of the token are ignored for 10 minutes. */
  ignoreRejections(key: TokenKey, accessToken: string): void {
    this.#refused.ignoreRejections(key, sha256Hex(accessToken), REJECTIONS_IGNORED_MS);
  }

  serves(token: CachedToken): boolean {
    return this.#lives(token, this.#ports.minValidityMs);
  }

  isAlive(token: CachedToken): boolean {
    return this.#lives(token, 1);
  }

  isRefused(token: CachedToken): boolean {
    return this.#refused.has(token.key, token.sha256);
  }

  ignoreRejectionsBriefly(token: CachedToken): void {
    this.#refused.ignoreRejections(token.key, token.sha256, REPLACING_PAUSED_MS);
  }

  #lives(token: CachedToken, minMs: number): boolean {
    return timeLeftMs(token.expiry, this.#ports.clock) >= minMs && !this.isRefused(token);
  }

  /** Whether to serve a short-lived token because renewal just failed. */
  #servesAsFallback(cached: CachedToken): boolean {
    return timeLeftMs(cached.fallbackUntil, this.#ports.clock) > 0 && this.isAlive(cached);
  }

  #isQuiet({ quietUntil }: CachedToken): boolean {
    return timeLeftMs(quietUntil, this.#ports.clock) > 0;
  }

  #keepQuiet(cached: CachedToken): void {
    const { clock, random } = this.#ports;
    cached.quietUntil = after(now(clock), QUIET_MS.min + random() * QUIET_MS.jitter);
  }

  #underWay(name: string): Promise<void> | undefined {
    const flight = this.#flights.get(name);
    const isJoinable = flight !== undefined && timeLeftMs(flight.joinableUntil, this.#ports.clock) > 0;
    return isJoinable ? flight.done : undefined;
  }

  #start(name: string, work: Promise<void>): Promise<void> {
    const flight: Flight = {
      joinableUntil: after(now(this.#ports.clock), MAX_FLIGHT_MS),
      done: work.finally(() => {
        if (this.#flights.get(name) === flight) this.#flights.delete(name);
      }),
    };
    this.#flights.set(name, flight);
    return flight.done;
  }

  /** Puts a token into memory: a short-lived one if renewal fails. @throws {TokenUnavailableError} */
  async #fly(name: string, key: TokenKey): Promise<void> {
    this.#failures.throwIfRemembered(name, key);
    const before = this.#cache.find(key);
    const isCold = before === undefined || !this.isAlive(before);
    try {
      const { cached, failure } = await readOrRenew(this.#ports, key, this, isCold ? COLD_READ_TRIES : 1);
      this.#keep(cached);
      if (failure !== undefined) this.#fallBackTo(cached, failure);
    } catch (error) {
      if (!(error instanceof TokenUnavailableError)) throw error;
      const cached = this.#cache.find(key);
      if (cached === undefined || !this.isAlive(cached)) {
        this.#failures.remember(name, error, FAILURE_KEPT_SEC);
        throw error;
      }
      this.#fallBackTo(cached, error);
    }
  }

  /** Serves a short-lived token for a while. */
  #fallBackTo(cached: CachedToken, failure: TokenUnavailableError): void {
    this.#keepQuiet(cached);
    cached.fallbackUntil = cached.quietUntil;
    this.#tellFailure(cached, failure);
  }

  #tellFailure({ key, expiry }: CachedToken, { code, message }: TokenUnavailableError): void {
    const lifeLeftSec = Math.floor(timeLeftMs(expiry, this.#ports.clock) / 1000);
    this.#ports.onEvent({ type: 'renewal_failed', key, lifeLeftSec, code, message });
  }

  #keep(read: CachedToken): void {
    if (this.isRefused(read)) return;
    const before = this.#cache.find(read.key);
    const renewal = this.#renewals.get(tokenKeyText(read.key));
    read.isSuperseded =
      renewal !== undefined &&
      renewal.readsLeft > 0 &&
      timeLeftMs(renewal.until, this.#ports.clock) > 0 &&
      this.#isOlder(read, renewal);
    if (renewal !== undefined && read.isSuperseded) renewal.readsLeft -= 1;
    this.#cache.put(read);
    // eslint-disable-next-line no-restricted-syntax -- the process holds both tokens
    if (before?.sha256 === read.sha256) return;
    const { expiresAt, region } = read.token;
    const lifeLeftSec = Math.floor(timeLeftMs(read.expiry, this.#ports.clock) / 1000);
    const place = region === undefined ? {} : { region };
    this.#ports.onEvent({ type: 'token_changed', key: read.key, expiresAt, lifeLeftSec, ...place });
  }

  /**
   * Whether a renewal of the secret's owner replaced the token. If the token's version is unknown, its time decides. An event
   * comes from the region of the primary secret, also if the token was read from a replica.
   */
  #isOlder({ versionId, secretArn, token }: CachedToken, renewal: Renewal): boolean {
    const [, , , region, account] = secretArn?.split(':') ?? [];
    const isFromOwner =
      secretArn === undefined ||
      (account === renewal.account && [region, ...this.#ports.regions].includes(renewal.region));
    return (
      isFromOwner && versionId !== renewal.versionId && Date.parse(token.issuedAt) <= renewal.renewedAtMs
    );
  }

  #isBetter(read: CachedToken | undefined, than: CachedToken): read is CachedToken {
    const { clock } = this.#ports;
    return (
      read !== undefined &&
      // eslint-disable-next-line no-restricted-syntax -- the process holds both tokens
      read.sha256 !== than.sha256 &&
      !this.isRefused(read) &&
      timeLeftMs(read.expiry, clock) > timeLeftMs(than.expiry, clock)
    );
  }

  #renewInBackground(cached: CachedToken, leftMs: number): void {
    const name = tokenKeyText(cached.key);
    if (this.#underWay(name) !== undefined) return;
    cached.quietUntil = after(now(this.#ports.clock), MAX_FLIGHT_MS);
    void this.#start(name, this.#renew(cached, leftMs));
  }

  /** Tries once to replace a token that still serves with one that expires later. Never rejects. */
  async #renew(cached: CachedToken, leftMs: number): Promise<void> {
    const { secrets, tokenRefresh, onEvent } = this.#ports;
    const { key } = cached;
    try {
      onEvent({ type: 'renewing', key, lifeLeftSec: Math.floor(leftMs / 1000) });
      const isBetter = (read: CachedToken) => this.#isBetter(read, cached);
      let stored = await secrets.read(key, isBetter);
      if (
        !this.#isBetter(stored?.cached, cached) &&
        leftMs < GUARANTEED_LIFE_MS &&
        tokenRefresh.isConfiguredFor(key)
      ) {
        const versionId = await tokenRefresh.ensure(key, refusedDigest(stored, this));
        if (versionId !== undefined) stored = await secrets.read(key, isBetter);
      }
      if (this.#isBetter(stored?.cached, cached)) this.#keep(stored.cached);
    } catch (error) {
      // Any other error comes from the caller's own functions, and surfaces when a caller next waits for a token.
      if (error instanceof TokenUnavailableError) this.#tellFailure(cached, error);
    } finally {
      this.#keepQuiet(cached);
    }
  }
}
