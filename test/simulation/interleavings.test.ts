import fc from 'fast-check';

import { type Interleaving, runInterleaving } from './support/interleaving';
import { IS_FULL, SEED } from '../support/test-size';

const CASES = IS_FULL ? 20_000 : 500;
/** Of 20,000 cases, on a machine that has other work. */
const TIMEOUT_MS = 900_000;

/** Each worker makes up to five writes, of which at most four fail, so one always succeeds. */
const SHARED = {
  workers: fc.integer({ min: 2, max: 5 }),
  fates: fc.array(fc.constantFrom('done', 'done', 'throttled', 'acknowledgement lost'), { maxLength: 4 }),
};
const rounds = (maxLength: number) =>
  fc.array(fc.constantFrom('due', 'refused'), { minLength: 1, maxLength });
const STEADY = fc.record({
  ...SHARED,
  rounds: rounds(2),
  livesSec: fc.constant([3_600]),
  lags: fc.constant([]),
});
/** The same on a platform whose tokens live for as long as it pleases, with reads that lag, and a budget that is nearly spent. */
const UNSTEADY = fc.record({
  ...SHARED,
  rounds: rounds(3),
  livesSec: fc.array(fc.constantFrom(1, 60, 300, 900, 1_140, 1_200, 3_600), { minLength: 2, maxLength: 6 }),
  lags: fc.array(fc.constantFrom(0, 0, 1, 2), { minLength: 1, maxLength: 20 }),
  stored: fc.option(
    fc.record({ lifeLeftSec: fc.constantFrom(-60, 300, 1_140), writes: fc.constantFrom(0, 49, 94, 95) }),
    { nil: undefined },
  ),
});

test.each<[string, fc.Arbitrary<Interleaving>]>([
  ['no write is lost, each round creates one version, and all processes get it', STEADY],
  [
    'no older or shorter-lived token replaces another, with at most 96 writes, if lives differ and reads lag',
    UNSTEADY,
  ],
])(
  'with processes that renew one token, their calls in any order, %s',
  async (_, interleaving) => {
    let writes = 0;

    await fc.assert(
      fc.asyncProperty(fc.scheduler(), interleaving, async (scheduler, drawn) => {
        writes += await runInterleaving(scheduler, drawn);
      }),
      { seed: SEED, numRuns: CASES },
    );

    expect(writes).toBeGreaterThan(CASES / 2);
  },
  TIMEOUT_MS,
);
