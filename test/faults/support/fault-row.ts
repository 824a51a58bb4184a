import { expectRed } from '../../support/holes/expect-red';
import { Draw } from './draw';
import { IS_FULL, SEED } from '../../support/test-size';

/** How a row runs: use cases on virtual time, or the function's bundle over real sockets. */
export type Where = 'virtual' | 'wire';

/**
 * One row of the fault matrix. `tokenRow`, `restoreRow` and `rotationRow` create the row's worlds and open
 * its hole; rows with other worlds use `faultRow`.
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
  hole: Hole<Variant> & {
    /**
     * Where the hole is tested.
     * @default 'virtual'
     */
    where?: Where;
    /** Runs the row in a world with the hole. */
    run(variant: Variant, draw: Draw): Promise<void>;
  };
}

/** Makes a world behave as if the product lacked the defense that the row tests. */
export interface Hole<Variant> {
  /** Completes "turns red when". */
  words: string;
  /** Values that the seed must not vary, since the hole would not show otherwise. */
  with?: Partial<Variant>;
}

/** Infers the type of a row's variants. */
export function faultRow<Variant>(row: FaultRow<Variant>): FaultRow {
  return row;
}

/** Much longer than a row needs, for busy machines. */
const TIMEOUT_MS = 30_000;
const SEEDS = IS_FULL ? 3 : 1;

/**
 * Declares the tests of each row: on virtual time with every seed, over the wire with the first one, and the
 * check that the row fails when its hole is open.
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
