/** Whether the full sizes are asked for (`npm run test:fuzz`); `npm test` does a small part of each. */
export const IS_FULL = process.env.FUZZ === 'full';

/** What all random choices derive from. Failures name it: with `FUZZ_SEED` they are had again. */
export const SEED = Number(process.env.FUZZ_SEED ?? 1);

/** Prints the figures of a run, which are its result as much as its being green. */
export function printFigures(text: string): void {
  process.stderr.write(`${text}\n`);
}
