import { type TokenKey } from '../core/tokens/published-keys';
import { tokenKeyText } from '../core/tokens/token-key';
import { after, type Clock, type Moment, now, timeLeftMs } from './clock';

/** Bounds the memory: only the latest tokens are remembered. */
const MAX_REMEMBERED = 10_000;

/** The tokens that an API refused. They do not serve under their key, even if they are still stored. */
export class RefusedTokens {
  readonly #clock: Clock;
  readonly #refused = new Set<string>();
  /** When rejections of a token count again. */
  readonly #ignoredUntil = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: TokenKey, sha256: string): boolean {
    return this.#refused.has(nameOf(key, sha256));
  }

  /** Returns false if the token is already refused, or its rejections are ignored. */
  add(key: TokenKey, sha256: string): boolean {
    const name = nameOf(key, sha256);
    const ignoredUntil = this.#ignoredUntil.get(name);
    const isIgnored = ignoredUntil !== undefined && timeLeftMs(ignoredUntil, this.#clock) > 0;
    if (isIgnored || this.#refused.has(name)) return false;
    this.#refused.add(name);
    if (this.#refused.size > MAX_REMEMBERED) this.#refused.delete(this.#refused.values().next().value!);
    return true;
  }

  /** Lets a token serve again, and ignores rejections of it for a while. */
  ignoreRejections(key: TokenKey, sha256: string, forMs: number): void {
    const name = nameOf(key, sha256);
    this.#refused.delete(name);
    this.#ignoredUntil.delete(name);
    this.#ignoredUntil.set(name, after(now(this.#clock), forMs));
    if (this.#ignoredUntil.size > MAX_REMEMBERED)
      this.#ignoredUntil.delete(this.#ignoredUntil.keys().next().value!);
  }
}

function nameOf(key: TokenKey, sha256: string): string {
  return `${sha256} ${tokenKeyText(key)}`;
}
