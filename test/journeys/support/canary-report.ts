import { type Canary, formsOf, type VisibleText } from '../../support/canaries';
import { printFigures } from '../../support/test-size';

/** The kinds of sinks, by how their places begin. */
const SINKS: readonly [string, RegExp][] = [
  ['standard output and error', /^printed/],
  ['answers to callers', /^answer /],
  ['outputs of commands', /^output /],
  ['log groups, metrics included', /^log group /],
  ['dead letters', /^dead letters /],
  ['console', /^console /],
  ['sandbox log', /^sandbox /],
  ['arguments', /^arguments /],
  ['environments', /^environment /],
  ['assembly', /^file cdk\.out/],
  ['results files', /^file work\/.*results/],
  ['temporary files', /^file temporary\//],
  ['other files', /^file /],
];

interface Search {
  /** Where the canaries were: completes "canaries in …". */
  readonly where: string;
  readonly canaries: readonly Canary[];
  readonly texts: readonly VisibleText[];
  /** Kinds of sinks with a deliberate leak, and those of them in which it was found. */
  readonly leaks: { readonly planted: number; readonly found: number };
}

/** How many texts each kind of sink has. @throws {Error} for a place of no kind */
export function countSinks(texts: readonly Pick<VisibleText, 'place'>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { place } of texts) {
    const [sink] = SINKS.find(([, places]) => places.test(place)) ?? [];
    if (sink === undefined) throw new Error(`${place}: state of which kind this place is`);
    counts.set(sink, (counts.get(sink) ?? 0) + 1);
  }
  return counts;
}

/** Prints how much was searched, which a search that finds nothing does not show. */
export function printCanaryReport({ where, canaries, texts, leaks }: Search): void {
  const forms = formsOf('x').size;
  const sinks = countSinks(texts);
  const counts = [...sinks].map(([sink, count]) => `${sink} ${count}`).join('; ');
  printFigures(
    `canaries: ${where}: ${canaries.length} secrets × ${forms} forms × ${texts.length} texts in ${sinks.size} kinds of sinks\n` +
      `canaries:   ${counts}\n` +
      `canaries:   deliberate leaks: found in ${leaks.found} of ${leaks.planted} kinds of sinks`,
  );
}
