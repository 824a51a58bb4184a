/**
 * Seeded choices: the same seed and name always give the same sequence. Consecutive seeds pick different
 * values from a short list, so three seeds cover three of them.
 */
export class Draw {
  readonly #seed: number;
  readonly #ofSeed: () => number;
  readonly #ofName: () => number;

  /**
   * @param seed from 1
   * @param name makes rows differ for the same seed
   */
  constructor(seed: number, name: string) {
    this.#seed = seed;
    let state = 0;
    for (const character of name) state = Math.imul(state ^ character.charCodeAt(0), 0x9e3779b1);
    this.#ofName = mulberry32(state);
    this.#ofSeed = mulberry32(state + seed);
  }

  /** A number in [0, 1). */
  readonly next = (): number => this.#ofSeed();

  /** Both bounds are included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  oneOf<const Choice>(choices: readonly Choice[]): Choice {
    const count = choices.length;
    const start = Math.floor(this.#ofName() * count);
    // Each round starts one choice later, so that two lists of the same length combine differently.
    const round = Math.floor((this.#seed - 1) / count);
    return choices[(start + this.#seed + round) % count]!;
  }
}

/** @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md (public domain) */
function mulberry32(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
