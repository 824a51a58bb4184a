/** An expression that is malformed or not supported here. */
class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code = 'expression_not_supported';
}

/** The tokens of an expression, taken one after another. */
export class Tokens {
  /** What the expression is, for messages. */
  readonly #what: string;
  readonly #tokens: string[] = [];
  #at = 0;

  /**
   * @param kind such as `metric math`
   * @param token a sticky pattern whose group is the token
   * @throws {ExpressionError} for text that is no token
   */
  constructor(kind: string, text: string, token: RegExp) {
    this.#what = `${kind} ${text}`;
    const pattern = new RegExp(token);
    const trimmed = text.trim();
    while (pattern.lastIndex < trimmed.length) {
      const start = pattern.lastIndex;
      const next = pattern.exec(trimmed)?.[1];
      if (next === undefined) throw new ExpressionError(`${this.#what}: cannot read ${trimmed.slice(start)}`);
      this.#tokens.push(next);
    }
  }

  /** The token that is taken next; undefined at the end. */
  get next(): string | undefined {
    return this.#tokens[this.#at];
  }

  /** Takes the next token. @throws {ExpressionError} if there is none, or another than the expected one */
  take(expected = this.next): string {
    if (expected === undefined || this.next !== expected) this.refuse();
    this.#at += 1;
    return expected;
  }

  /** Takes the next token if it is one of these. */
  takeOneOf<Token extends string>(tokens: readonly Token[]): Token | undefined {
    const taken = tokens.find((token) => token === this.next);
    if (taken !== undefined) this.#at += 1;
    return taken;
  }

  /** @throws {ExpressionError} unless all tokens were taken */
  end(): void {
    if (this.next !== undefined) this.refuse();
  }

  refuse(token = this.next ?? 'end'): never {
    throw new ExpressionError(`${this.#what}: unexpected ${token}`);
  }
}
