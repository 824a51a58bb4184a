import fc from 'fast-check';

import { type Derivation, type WriteFate } from './support/interleaved-store';
import {
  type Interleaving,
  InterleavingFigures,
  type Round,
  runInterleaving,
} from './support/interleaved-workers';
import { IS_FULL, printFigures, SEED } from '../support/test-size';

const CASES = IS_FULL ? 20_000 : 500;
/** CPU time, so that other load on the machine does not matter. */
const MOST_CPU_MS = 10_000;

/** Each worker makes up to five writes, of which at most four fail, so one always succeeds. */
const interleaving: fc.Arbitrary<Interleaving> = fc.record({
  workers: fc.integer({ min: 2, max: 5 }),
  rounds: fc.array(fc.constantFrom<Round>('due', 'refused'), { minLength: 1, maxLength: 2 }),
  fates: fc.array(fc.constantFrom<WriteFate>('done', 'done', 'throttled', 'acknowledgement lost'), {
    maxLength: 4,
  }),
});

/** Checks a product that derives version ids differently. */
function checkWith(derive: Derivation) {
  return fc.check(
    fc.asyncProperty(fc.scheduler(), interleaving, (scheduler, drawn) =>
      runInterleaving(scheduler, drawn, new InterleavingFigures(), derive),
    ),
    { seed: SEED, numRuns: CASES, endOnFailure: true },
  );
}

describe('with processes that renew one token, their calls in any order,', () => {
  test(
    'no write is lost, each round creates one version, and all processes get it',
    async () => {
      const figures = new InterleavingFigures();
      const started = process.cpuUsage();

      await fc.assert(
        fc.asyncProperty(fc.scheduler(), interleaving, (scheduler, drawn) =>
          runInterleaving(scheduler, drawn, figures),
        ),
        { seed: SEED, numRuns: CASES },
      );

      const { user, system } = process.cpuUsage(started);
      const cpuMs = (user + system) / 1000;
      printFigures(
        `interleavings: ${CASES} (${figures.orders.size} different), ${figures.calls} calls, ` +
          `${figures.grants} tokens requested, 0 lost updates, ${Math.round(cpuMs)} ms of processor, seed ${SEED}`,
      );
      expect(cpuMs).toBeLessThan(MOST_CPU_MS);
    },
    12 * MOST_CPU_MS,
  );

  test('random version ids lose writes', async () => {
    let draw = 0;

    const result = await checkWith((seen) => ({ ...seen, attempt: (draw += 1) }));

    expect(result.failed).toBe(true);
    expect(String(result.errorInstance)).toContain('lost update');
  });

  test('version ids that name a time window keep refused tokens', async () => {
    const result = await checkWith(({ secretArn }) => ({ secretArn, versionId: '10-minutes', attempt: 0 }));

    expect(result.failed).toBe(true);
    expect(String(result.errorInstance)).toMatch(/0 new versions|other writers kept changing/);
  });
});
