import { type TokenKey, tokenKeyText } from '../contract/token-key';
import { after, type Clock, type Moment, now, timeLeftMs } from './clock';

/** Names come from callers; this many are remembered, the latest ones. */
const MOST = 10_000;

/** The tokens that the platform refused: they do not serve under their key, though the store may still hold them. */
export class RefusedTokens {
  readonly #clock: Clock;
  readonly #refused = new Set<string>();
  /** Until when a refusal is not believed. */
  readonly #pardons = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: TokenKey, sha256: string): boolean {
    return this.#refused.has(nameOf(key, sha256));
  }

  /** Whether that is news, and is believed. */
  add(key: TokenKey, sha256: string): boolean {
    const name = nameOf(key, sha256);
    const pardonedUntil = this.#pardons.get(name);
    const isPardoned = pardonedUntil !== undefined && timeLeftMs(pardonedUntil, this.#clock) > 0;
    if (isPardoned || this.#refused.has(name)) return false;
    this.#refused.add(name);
    if (this.#refused.size > MOST) this.#refused.delete(this.#refused.values().next().value!);
    return true;
  }

  /** Lets a token serve, and believes no refusal of it for a while. */
  pardon(key: TokenKey, sha256: string, forMs: number): void {
    const name = nameOf(key, sha256);
    this.#refused.delete(name);
    this.#pardons.delete(name);
    this.#pardons.set(name, after(now(this.#clock), forMs));
    if (this.#pardons.size > MOST) this.#pardons.delete(this.#pardons.keys().next().value!);
  }
}

function nameOf(key: TokenKey, sha256: string): string {
  return `${sha256} ${tokenKeyText(key)}`;
}
