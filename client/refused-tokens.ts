import { type TokenKey, tokenKeyText } from '../contract/token-key';
import { after, type Clock, EARLIER, type Moment, now, timeLeftMs } from './clock';

/** More than can be refused within the life of a token, unless something is very wrong. */
const MOST = 1_000;
const PARDON_MS = 60_000;

/** The tokens that the platform refused: they must not be served again under their key, though the store may still hold them. */
export class RefusedTokens {
  readonly #clock: Clock;
  /** By key and digest: until when the token serves all the same. */
  readonly #pardons = new Map<string, Moment>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: TokenKey, sha256: string): boolean {
    const pardonedUntil = this.#pardons.get(nameOf(key, sha256));
    return pardonedUntil !== undefined && timeLeftMs(pardonedUntil, this.#clock) <= 0;
  }

  /** Whether that is news. */
  add(key: TokenKey, sha256: string): boolean {
    const name = nameOf(key, sha256);
    if (this.#pardons.has(name)) return false;
    this.#pardons.set(name, EARLIER);
    if (this.#pardons.size > MOST) this.#pardons.delete(this.#pardons.keys().next().value!);
    return true;
  }

  /** Lets a refused token serve for a minute. */
  pardon(key: TokenKey, sha256: string): void {
    this.#pardons.set(nameOf(key, sha256), after(now(this.#clock), PARDON_MS));
  }
}

function nameOf(key: TokenKey, sha256: string): string {
  return `${sha256} ${tokenKeyText(key)}`;
}
