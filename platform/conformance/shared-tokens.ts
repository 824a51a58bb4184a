import { type Interface } from './tenant';

/** The tokens that checks share, until time has moved. */
export class SharedTokens {
  readonly #tokens = new Map<string, Promise<string>>();

  /** That token again, or the one that is asked for now. */
  async get(of: Interface, scope: string, ask: () => Promise<string>): Promise<string> {
    const key = `${of} ${scope}`;
    const known = this.#tokens.get(key);
    if (known) return known;
    const token = ask();
    this.#tokens.set(key, token);
    token.catch(() => this.#tokens.delete(key));
    return token;
  }

  forget(): void {
    this.#tokens.clear();
  }
}
