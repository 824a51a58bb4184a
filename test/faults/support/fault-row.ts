import { expectRed } from '../../support/holes/expect-red';
import { Draw } from './draw';
import { IS_FULL, SEED } from '../../support/test-size';

/** Where a row runs: on virtual time with the use cases, or with the function's bundle over real sockets. */
export type Where = 'virtual' | 'wire';

/**
 * One row of the fault matrix. `tokenRow`, `restoreRow` and `rotationRow` make the worlds of a row, and open its hole;
 * a row with worlds of its own is made by `faultRow`.
 */
export interface FaultRow<Variant = unknown> {
  /** `F1` to `F33`. */
  id: string;
  /** The fault in words. */
  fault: string;
  /** What the seed changes, as plain data: the titles of the tests print it. */
  variant(draw: Draw, where: Where): Variant;
  virtual(variant: Variant, draw: Draw): Promise<void>;
  wire(variant: Variant, draw: Draw): Promise<void>;
  hole: Hole<Variant> & {
    /** Where the hole shows. @default 'virtual' */
    where?: Where;
    /** The row's own run, in a world with the hole. */
    run(variant: Variant, draw: Draw): Promise<void>;
  };
}

/** A part of the world that behaves as if the product lacked the defense that the row is about. */
export interface Hole<Variant> {
  /** Completes "turns red when". */
  words: string;
  /** What the seed must not change, because the hole would not show. */
  with?: Partial<Variant>;
}

/** Lets the compiler find out what a row's variants are. */
export function faultRow<Variant>(row: FaultRow<Variant>): FaultRow {
  return row;
}

/** Far more than any row needs, for machines that are busy. */
const TIMEOUT_MS = 30_000;
const SEEDS = IS_FULL ? 3 : 1;

/**
 * Declares the tests of rows: on virtual time with every seed, over the wire with the first one, and the proof that the
 * row turns red when its hole is open.
 */
export function testFaultRows(rows: readonly FaultRow[]): void {
  describe.each(rows)('$id $fault', (row) => {
    for (let seed = SEED; seed < SEED + SEEDS; seed += 1) declare(row, 'virtual', seed);
    declare(row, 'wire', SEED);
    declareRed(row);
  });
}

function declare(row: FaultRow, where: Where, seed: number): void {
  const draw = new Draw(seed, row.id);
  const variant = row.variant(draw, where);
  test(`${where}, seed ${seed}: ${JSON.stringify(variant)}`, () => row[where](variant, draw), TIMEOUT_MS);
}

function declareRed({ id, variant, hole }: FaultRow): void {
  const draw = new Draw(SEED, id);
  const drawn = variant(draw, hole.where ?? 'virtual') as object;
  const red = () => hole.run({ ...drawn, ...hole.with }, draw);
  test(`turns red when ${hole.words}`, () => expectRed(red), TIMEOUT_MS);
}
