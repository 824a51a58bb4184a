/**
 * Proves of every entry of a suite's tables that its tests are green and can turn red: breaks the product in the one
 * line that the entry names, in a copy of the repository, and runs the tests of all entries that name it there. Ends with
 * status 1 unless every entry turned red.
 *
 *     node --require tsx/cjs test/support/breaks/break-each.ts faults [ID…]
 */
import { availableParallelism } from 'node:os';

import { type Break } from './break';
import { type BreakableTest, readSuite, SUITE_NAMES } from './breakable-suites';
import { BrokenCopy, type Selection, type TestRun } from './broken-copy';

/** What the tests of one break may take, in ms. */
const PATIENCE_MS = 120_000;
/** More at once would only wait for one another. */
const MOST_AT_ONCE = 4;

/** A break, and the entries that name it. */
interface Group {
  brokenBy: Break;
  sharing: BreakableTest[];
}

const [asked, ...askedIds] = process.argv.slice(2);
const suite = SUITE_NAMES.find((name) => name === asked);
if (suite === undefined) {
  process.stderr.write(`found ${asked ?? 'nothing'}; allowed: ${SUITE_NAMES.join(', ')}, then ids\n`);
  process.exitCode = 2;
} else void breakEach(suite);

async function breakEach(name: (typeof SUITE_NAMES)[number]): Promise<void> {
  const { project, entries: all } = readSuite(name);
  const entries = all.filter(({ id }) => askedIds.length === 0 || askedIds.includes(id));
  const groups = groupByBreak(entries);
  const atOnce = Math.min(availableParallelism(), MOST_AT_ONCE, Math.max(groups.length, 1));
  const copies = Array.from({ length: atOnce }, () => new BrokenCopy());
  let proven = 0;
  try {
    const whole = (await copies[0]!.run(selectionOf(project, entries)))!;
    const work = copies.map(async (copy) => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
        // Not `proven += await`, which would add to what it was before the wait.
        const red = await breakOne(copy, project, group, whole);
        proven += red;
      }
    });
    await Promise.all(work);
  } finally {
    for (const copy of copies) copy.remove();
  }
  process.stdout.write(`${proven} of ${entries.length} turn red when broken\n`);
  process.exitCode = entries.length > 0 && proven === entries.length ? 0 : 1;
}

/** Breaks the product once, prints what became of each entry, and says how many turned red. */
async function breakOne(
  copy: BrokenCopy,
  project: string,
  { brokenBy, sharing }: Group,
  whole: TestRun,
): Promise<number> {
  const green = sharing.filter((entry) => whole.countsOf(entry).failed === 0);
  const verdictOf = await verdictsOf(copy, brokenBy, selectionOf(project, green));
  let proven = 0;
  for (const entry of sharing) {
    const verdict = green.includes(entry) ? verdictOf(entry) : 'red without any break';
    if (/^red \d/.test(verdict)) proven += 1;
    const { file, to } = brokenBy;
    process.stdout.write(`${entry.id.padEnd(5)} ${verdict.padEnd(22)} ${file}: ${to || '(line removed)'}\n`);
  }
  return proven;
}

function selectionOf(project: string, entries: readonly BreakableTest[]): Selection {
  return { project, entries, tests: [...new Set(entries.map(({ test }) => test))] };
}

function groupByBreak(entries: readonly BreakableTest[]): Group[] {
  const groups = new Map<string, BreakableTest[]>();
  for (const entry of entries) {
    const { file, from, to } = entry.brokenBy;
    const key = JSON.stringify([file, from, to]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()].map((sharing) => ({ brokenBy: sharing[0]!.brokenBy, sharing }));
}

/** What becomes of the tests of each entry under a break. */
async function verdictsOf(
  copy: BrokenCopy,
  brokenBy: Break,
  selection: Selection,
): Promise<(entry: BreakableTest) => string> {
  const times = copy.occurrencesOf(brokenBy);
  if (times !== 1) return () => `line occurs ${times} times`;
  if (selection.entries.length === 0) return () => 'not run';
  const run = await copy.whileBroken(brokenBy, () => copy.run(selection, PATIENCE_MS));
  if (run === undefined) return () => 'does not end';
  if (run.isUnrun) return () => 'does not run at all';
  return (entry) => {
    const { failed, passed } = run.countsOf(entry);
    return failed === 0 ? 'stays green' : `red ${failed} of ${failed + passed}`;
  };
}
