import fc from 'fast-check';

import { type WriteFate } from './support/interleaved-store';
import {
  type Interleaving,
  InterleavingFigures,
  type Round,
  runInterleaving,
} from './support/interleaved-workers';
import { IS_FULL, printFigures, SEED } from '../support/test-size';

const CASES = IS_FULL ? 20_000 : 500;
/** Of 20,000 cases, on a machine that has other work. */
const TIMEOUT_MS = 900_000;

/** Each worker makes up to five writes, of which at most four fail, so one always succeeds. */
const interleaving: fc.Arbitrary<Interleaving> = fc.record({
  workers: fc.integer({ min: 2, max: 5 }),
  rounds: fc.array(fc.constantFrom<Round>('due', 'refused'), { minLength: 1, maxLength: 2 }),
  fates: fc.array(fc.constantFrom<WriteFate>('done', 'done', 'throttled', 'acknowledgement lost'), {
    maxLength: 4,
  }),
  livesSec: fc.constant([3_600]),
  lags: fc.constant([]),
});

/** The same on a platform whose tokens live for as long as it pleases, with reads that lag, and a budget that is nearly spent. */
const unsteady: fc.Arbitrary<Interleaving> = fc.record({
  workers: fc.integer({ min: 2, max: 5 }),
  rounds: fc.array(fc.constantFrom<Round>('due', 'refused'), { minLength: 1, maxLength: 3 }),
  fates: fc.array(fc.constantFrom<WriteFate>('done', 'done', 'throttled', 'acknowledgement lost'), {
    maxLength: 4,
  }),
  livesSec: fc.array(fc.constantFrom(1, 60, 300, 900, 1_140, 1_200, 3_600), { minLength: 2, maxLength: 6 }),
  lags: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 1, maxLength: 20 }),
  stored: fc.option(
    fc.record({ lifeLeftSec: fc.constantFrom(-60, 300, 1_140), writes: fc.constantFrom(0, 49, 94, 95) }),
    { nil: undefined },
  ),
});

describe('with processes that renew one token, their calls in any order,', () => {
  test(
    'no write is lost, each round creates one version, and all processes get it',
    async () => {
      const figures = new InterleavingFigures();

      await fc.assert(
        fc.asyncProperty(fc.scheduler(), interleaving, (scheduler, drawn) =>
          runInterleaving(scheduler, drawn, figures),
        ),
        { seed: SEED, numRuns: CASES },
      );

      printFigures(
        `interleavings: ${CASES} (${figures.orders.size} different), ${figures.calls} calls, ` +
          `${figures.grants} tokens requested, 0 lost updates, seed ${SEED}`,
      );
    },
    TIMEOUT_MS,
  );

  test(
    'no older or shorter-lived token replaces another, with at most 96 writes, if lives differ and reads lag',
    async () => {
      const figures = new InterleavingFigures();

      await fc.assert(
        fc.asyncProperty(fc.scheduler(), unsteady, (scheduler, drawn) =>
          runInterleaving(scheduler, drawn, figures),
        ),
        { seed: SEED, numRuns: CASES },
      );

      printFigures(
        `interleavings with mixed lives and reads that lag: ${CASES} (${figures.orders.size} different), ` +
          `${figures.grants} tokens requested, ${figures.writes} written, seed ${SEED}`,
      );
      expect(figures.writes).toBeGreaterThan(CASES / 2);
    },
    TIMEOUT_MS,
  );
});
