/** Whether the full sizes are asked for: `npm run test:full -- SUITE`. `npm test` does a small part of each. */
export const IS_FULL = process.env.TEST_SIZE === 'full';

/** What all random choices derive from. Failures name it; `TEST_SEED=N` repeats them. */
export const SEED = Number(process.env.TEST_SEED ?? 1);

/** Prints the figures of a run, which are its result as much as its being green. */
export function printFigures(text: string): void {
  process.stderr.write(`${text}\n`);
}
