import * as fc from 'fast-check';

import { SEED } from '../../support/test-size';

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
  const {
    failed,
    errorInstance,
    counterexample,
    numRuns: runs,
  } = await fc.check(property, { numRuns, seed: SEED });
  if (!failed) return;
  const error = errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance));
  const shown = JSON.stringify(counterexample?.[0]).slice(0, MAX_SHOWN);
  error.message += `\n\nseed ${SEED}, run ${runs}, with ${shown}`;
  throw error;
}
