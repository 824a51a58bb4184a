/** Whether to run the full sizes, as `npm run test:full -- SUITE` does. The other commands run a small part. */
export const IS_FULL = process.env.TEST_SIZE === 'full';

/** The seed of all random choices. Failures print it; `TEST_SEED=N` repeats them. */
export const SEED = Number(process.env.TEST_SEED ?? 1);

/** Prints figures, which are a result of the run besides its success. */
export function printFigures(text: string): void {
  process.stderr.write(`${text}\n`);
}
