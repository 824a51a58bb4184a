import * as fc from 'fast-check';

import { SEED } from '../../support/test-size';

/** More than any check takes while AWS and the platform answer at once. */
const HANG_MS = 20_000;
/** Longer values are truncated in a failure. */
const MAX_SHOWN = 4_000;

/**
 * Runs a check with many values. A failed assertion stays what it is, with the smallest value that fails and the seed in
 * its message.
 */
export async function forAny<Value>(
  values: fc.Arbitrary<Value>,
  numRuns: number,
  check: (value: Value) => void | Promise<void>,
): Promise<void> {
  const property = fc.asyncProperty(values, async (value) => check(value));
  const run = await fc.check(property, { numRuns, seed: SEED, timeout: HANG_MS });
  if (!run.failed) return;
  const error = run.errorInstance instanceof Error ? run.errorInstance : new Error(String(run.errorInstance));
  const shown = JSON.stringify(run.counterexample?.[0]).slice(0, MAX_SHOWN);
  error.message += `\n\nseed ${SEED}, run ${run.numRuns}, with ${shown}`;
  throw error;
}
