import { type Interface } from './tenant';

/** Access tokens that checks share. */
export class SharedTokens {
  readonly #tokens = new Map<string, Promise<string>>();

  /** Returns the cached token, or requests one. */
  async get(of: Interface, scope: string, ask: () => Promise<string>): Promise<string> {
    const key = `${of} ${scope}`;
    const known = this.#tokens.get(key);
    if (known) return known;
    const token = ask();
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }
}
