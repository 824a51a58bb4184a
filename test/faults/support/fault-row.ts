import { Draw } from './draw';
import { IS_FULL, SEED } from '../../support/test-size';

/** How a row runs: use cases on virtual time, or the function's bundle over real sockets. */
export type Where = 'virtual' | 'wire';

/**
 * One row of the fault matrix. `tokenRow` creates the row's worlds; rows with other worlds use `faultRow`.
 */
export interface FaultRow<Variant = unknown> {
  /** `F1` to `F37`. */
  id: string;
  /** The fault, which is the title of the row's tests. */
  fault: string;
  /** What the seed varies. Plain data, since test titles print it. */
  variant(draw: Draw, where: Where): Variant;
  virtual(variant: Variant, draw: Draw): Promise<void>;
  wire(variant: Variant, draw: Draw): Promise<void>;
}

/** Infers the type of a row's variants. */
export function faultRow<Variant>(row: FaultRow<Variant>): FaultRow {
  return row;
}

/** Much longer than a row needs, for busy machines. */
const TIMEOUT_MS = 30_000;
const SEEDS = IS_FULL ? 3 : 1;

/** Declares the tests of each row: on virtual time with every seed, and over the wire with the first one. */
export function testFaultRows(rows: readonly FaultRow[]): void {
  describe.each(rows)('$id $fault', (row) => {
    for (let seed = SEED; seed < SEED + SEEDS; seed += 1) declare(row, 'virtual', seed);
    declare(row, 'wire', SEED);
  });
}

function declare(row: FaultRow, where: Where, seed: number): void {
  const draw = new Draw(seed, row.id);
  const variant = row.variant(draw, where);
  test(`${where}, seed ${seed}: ${JSON.stringify(variant)}`, () => row[where](variant, draw), TIMEOUT_MS);
}
