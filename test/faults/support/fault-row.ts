import { Draw } from './draw';
import { IS_FULL, SEED } from '../../support/test-size';

/** One row of the fault matrix. `tokenRow` creates the row's world; rows that make their own use `faultRow`. */
export interface FaultRow<Variant = unknown> {
  /** `F1` to `F37`. */
  id: string;
  /** The fault, which is the title of the row's tests. */
  fault: string;
  /** What the seed varies. Plain data, since test titles print it. */
  variant(draw: Draw): Variant;
  run(variant: Variant): Promise<void>;
}

/** Infers the type of a row's variants. */
export function faultRow<Variant>(row: FaultRow<Variant>): FaultRow {
  return row;
}

/** Much longer than a row needs, for busy machines. */
const TIMEOUT_MS = 30_000;
const SEEDS = IS_FULL ? 3 : 1;

/** Declares the tests of each row: the functions' bundles over real sockets, in the situation of each seed. */
export function testFaultRows(rows: readonly FaultRow[]): void {
  describe.each(rows)('$id $fault', (row) => {
    for (let seed = SEED; seed < SEED + SEEDS; seed += 1) {
      const variant = row.variant(new Draw(seed, row.id));
      test(`seed ${seed}: ${JSON.stringify(variant)}`, () => row.run(variant), TIMEOUT_MS);
    }
  });
}
