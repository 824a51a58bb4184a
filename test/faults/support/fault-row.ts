import { type Breakable } from '../../support/breaks/break';
import { Draw } from './draw';

/** Where a row runs: on virtual time with the use cases and fakes, or with the function's bundle over real sockets. */
export type Where = 'virtual' | 'wire';

/**
 * One row of the fault matrix.
 *
 * Rows are data, so that `break-each.ts` can read them without jest: `test/faults/NAME-faults.ts` exports them as
 * `ROWS`, and `NAME-faults.test.ts` beside it is `testFaultRows(ROWS)`. A row that is the same in both worlds is made
 * by `inBothWorlds`; others call `withVirtualWorld` and `withWireWorld`.
 */
export interface FaultRow<Variant = unknown> extends Breakable {
  /** The fault in words. */
  fault: string;
  /** What the seed changes, as plain data: the titles of the tests print it. */
  variant(draw: Draw, where: Where): Variant;
  virtual(variant: Variant, draw: Draw): Promise<void>;
  wire(variant: Variant, draw: Draw): Promise<void>;
}

/** Lets the compiler find out what a row's variants are. */
export function faultRow<Variant>(row: FaultRow<Variant>): FaultRow {
  return row;
}

/** Far more than any row needs, for machines that are busy. */
const TIMEOUT_MS = 30_000;
const SEEDS = Number(process.env.FAULT_SEEDS ?? 1);
const FIRST_SEED = Number(process.env.FAULT_FIRST_SEED ?? 1);

/**
 * Declares the tests of rows: on virtual time with every seed, over the wire with the first one.
 * FAULT_SEEDS says how many seeds (1), FAULT_FIRST_SEED with which to begin (1).
 */
export function testFaultRows(rows: readonly FaultRow[]): void {
  describe.each(rows)('$id $fault', (row) => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1) declare(row, 'virtual', seed);
    declare(row, 'wire', FIRST_SEED);
  });
}

function declare(row: FaultRow, where: Where, seed: number): void {
  const draw = new Draw(seed, row.id);
  const variant = row.variant(draw, where);
  test(`${where}, seed ${seed}: ${JSON.stringify(variant)}`, () => row[where](variant, draw), TIMEOUT_MS);
}
