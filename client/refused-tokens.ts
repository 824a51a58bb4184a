/** More than can be refused within the life of a token, unless something is very wrong. */
const MOST = 1_000;

/** The digests of tokens that the platform refused: they must not be served again, though the store may still hold them. */
export class RefusedTokens {
  readonly #digests = new Set<string>();

  has(sha256: string): boolean {
    return this.#digests.has(sha256);
  }

  /** Whether that is news. */
  add(sha256: string): boolean {
    if (this.#digests.has(sha256)) return false;
    this.#digests.add(sha256);
    if (this.#digests.size > MOST) this.#digests.delete(this.#digests.values().next().value!);
    return true;
  }
}
