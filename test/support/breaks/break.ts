/** The one-line break of the product that must turn a test red. `from` occurs exactly once in the file. */
export interface Break {
  /** From the root of the repository. */
  file: string;
  from: string;
  /** Instead of `from`; empty to take it away. */
  to: string;
}

/**
 * An entry of a table of tests that says how it is broken. Tables are data, so that `break-each.ts` can read them without
 * jest; entries whose breaks are equal share one run, in which each of them has to turn red.
 */
export interface Breakable {
  /** What the title of its test, or of a `describe` around it, begins with, up to the end of a word: `F1`, `C017`. */
  id: string;
  brokenBy: Break;
}
