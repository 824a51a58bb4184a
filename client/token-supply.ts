import { DUE_BELOW_SEC, GUARANTEED_LIFE_SEC } from '../contract/lifetimes';
import { type TokenKey } from '../contract/token-key';
import { type AccessToken } from './access-token';
import { after, NEVER, now, timeLeftMs } from './clock';
import { type Demand, obtainToken, type ObtainTokenPorts, refusedDigest } from './obtain-token';
import { RecentFailures } from './recent-failures';
import { RefusedTokens } from './refused-tokens';
import { type CachedToken, TokenCache } from './token-cache';
import { tokenDigest } from './token-digest';
import { type TokenSourceEvent } from './token-source-event';
import { TokenUnavailableError } from './token-unavailable-error';

const DUE_BELOW_MS = DUE_BELOW_SEC * 1000;
const GUARANTEED_LIFE_MS = GUARANTEED_LIFE_SEC * 1000;
/** Between two looks for a better token, so that a denied or throttled Secrets Manager costs nothing meanwhile. */
const QUIET_MS = { least: 15_000, jitter: 15_000 };

export interface TokenSupplyOptions extends ObtainTokenPorts {
  minValidityMs: number;
  onEvent: (event: TokenSourceEvent) => void;
}

/**
 * The tokens of a process: one in memory per key, one flight per key for all who find none there, and a background
 * renewal while the one in memory is still good. It has no timers: what is due happens when somebody asks.
 */
export class TokenSupply implements Demand {
  readonly #ports: TokenSupplyOptions;
  readonly #cache = new TokenCache();
  readonly #flights = new Map<string, Promise<CachedToken>>();
  readonly #refused = new RefusedTokens();
  readonly #failures: RecentFailures;

  constructor(ports: TokenSupplyOptions) {
    this.#ports = ports;
    this.#failures = new RecentFailures(ports.clock);
  }

  /** The token in memory, if it serves. The warm path of every call, so it makes no objects. */
  find(key: TokenKey): AccessToken | undefined {
    const cached = this.#cache.find(key);
    if (cached === undefined) return undefined;
    const leftMs = timeLeftMs(cached.end, this.#ports.clock);
    if (leftMs < this.#ports.minValidityMs) return undefined;
    if (leftMs < DUE_BELOW_MS && !this.#isQuiet(cached)) void this.#renew(cached, leftMs);
    return cached.token;
  }

  /** A token from memory or the store, else a renewed one. @throws {TokenUnavailableError} */
  async obtain(key: TokenKey): Promise<AccessToken> {
    for (;;) {
      const cached = this.#cache.find(key);
      if (cached !== undefined && this.serves(cached)) return cached.token;
      if (this.#hasToDo(cached) && this.#isQuiet(cached)) return cached.token;
      const obtained = await this.#join(key);
      // Refused by another caller, after the flight had read it.
      if (!this.isRefused(obtained)) return obtained.token;
    }
  }

  /** Has a token that the platform refused never served again. */
  refuse(key: TokenKey, accessToken: string): void {
    const sha256 = tokenDigest(accessToken);
    const cached = this.#cache.find(key);
    if (cached?.sha256 === sha256) this.#cache.drop(cached);
    if (this.#refused.add(sha256)) this.#ports.onEvent({ type: 'token_refused', key });
  }

  serves(token: CachedToken): boolean {
    return this.#lives(token, this.#ports.minValidityMs);
  }

  isAlive(token: CachedToken): boolean {
    return this.#lives(token, 1);
  }

  isRefused(token: CachedToken): boolean {
    return this.#refused.has(token.sha256);
  }

  #lives(token: CachedToken, leastMs: number): boolean {
    return timeLeftMs(token.end, this.#ports.clock) >= leastMs && !this.isRefused(token);
  }

  /** Whether a token of too short a life has to do, since none can be had but what the store holds. */
  #hasToDo(cached: CachedToken | undefined): cached is CachedToken {
    return (
      cached !== undefined && !this.#ports.tokenRefresh.isConfiguredFor(cached.key) && this.isAlive(cached)
    );
  }

  #isQuiet({ quietUntil }: CachedToken): boolean {
    return timeLeftMs(quietUntil, this.#ports.clock) > 0;
  }

  #keepQuiet(cached: CachedToken): void {
    const { clock, random } = this.#ports;
    cached.quietUntil = after(now(clock), QUIET_MS.least + random() * QUIET_MS.jitter);
  }

  #join(key: TokenKey): Promise<CachedToken> {
    const name = JSON.stringify([
      key.environment,
      key.platformRegion,
      key.tenantId,
      key.interface,
      key.scope,
    ]);
    const underWay = this.#flights.get(name);
    if (underWay !== undefined) return underWay;
    const flight = this.#fly(name, key).finally(() => this.#flights.delete(name));
    this.#flights.set(name, flight);
    return flight;
  }

  async #fly(name: string, key: TokenKey): Promise<CachedToken> {
    this.#failures.throwIfRemembered(name, key);
    try {
      const obtained = await obtainToken(this.#ports, key, this);
      this.#keep(obtained);
      if (!this.serves(obtained)) this.#keepQuiet(obtained);
      return obtained;
    } catch (error) {
      const cached = this.#cache.find(key);
      if (this.#hasToDo(cached)) {
        this.#keepQuiet(cached);
        return cached;
      }
      if (error instanceof TokenUnavailableError) this.#failures.remember(name, error);
      throw error;
    }
  }

  #keep(read: CachedToken): void {
    if (this.isRefused(read)) return;
    const before = this.#cache.find(read.key);
    this.#cache.put(read);
    if (before?.sha256 === read.sha256) return;
    this.#ports.onEvent({ type: 'token_changed', key: read.key, expiresAt: read.token.expiresAt });
  }

  #isBetter(read: CachedToken | undefined, than: CachedToken): read is CachedToken {
    const { clock } = this.#ports;
    return (
      read !== undefined &&
      read.sha256 !== than.sha256 &&
      !this.isRefused(read) &&
      timeLeftMs(read.end, clock) > timeLeftMs(than.end, clock)
    );
  }

  /** Looks once for a token that lives longer than one that is still good. Never rejects. */
  async #renew(cached: CachedToken, leftMs: number): Promise<void> {
    const { secrets, tokenRefresh, onEvent } = this.#ports;
    const { key } = cached;
    const lifeLeftSec = Math.floor(leftMs / 1000);
    cached.quietUntil = NEVER;
    try {
      onEvent({ type: 'renewing', key, lifeLeftSec });
      let stored = await secrets.read(key);
      if (
        !this.#isBetter(stored?.cached, cached) &&
        leftMs < GUARANTEED_LIFE_MS &&
        tokenRefresh.isConfiguredFor(key)
      ) {
        const versionId = await tokenRefresh.ensure(key, refusedDigest(stored, this));
        if (versionId !== undefined) stored = await secrets.read(key);
      }
      if (this.#isBetter(stored?.cached, cached)) this.#keep(stored.cached);
    } catch (error) {
      // Anything else is a fault of the caller's own functions, and shows where the next token is waited for.
      if (!(error instanceof TokenUnavailableError)) return;
      onEvent({ type: 'renewal_failed', key, lifeLeftSec, code: error.code, message: error.message });
    } finally {
      this.#keepQuiet(cached);
    }
  }
}
