/** A sandbox that violates one clause: its source with one place changed. */
export interface Variant {
  /** The clause that it violates. */
  readonly clause: string;
  /** From the root of the repository. */
  readonly file: `sandbox/${string}`;
  /** What it says there; occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Names of checks of other clauses that the change makes fail too, because they depend on this one. */
  readonly alsoFails?: readonly string[];
}
