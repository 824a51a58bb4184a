import { type ListedTest } from '../../support/test-titles';
import { type TestTitles, type Threat } from '../list/threat';

/** Tests that run a whole laptop system as its own processes. */
const JOURNEYS = 'test/journeys/';

/** The placeholders of titles: those of printf, and of tables such as `$hole.wrong`. */
const PLACEHOLDER = /%(?:\.\d+)?[a-zA-Z#$]|\$[a-zA-Z_][\w.]*/;

/** What the tests say about a threat. */
export interface Verdict {
  readonly threat: Threat;
  /** How many tests ran and passed, each row of a table counted; `onLaptop` are those proofs that run a whole system. */
  readonly passed: { readonly proofs: number; readonly onLaptop: number; readonly holes: number };
  /** Why the threat is not shown to be prevented; none if it is. */
  readonly faults: readonly string[];
}

/**
 * Judges a threat by tests, whether run or only listed.
 * @param testsOf the tests of a file; none if the file is missing
 */
export function judge(threat: Threat, testsOf: (file: string) => readonly ListedTest[]): Verdict {
  const proofs = judgeTests('proof', threat.proofs, testsOf);
  const holes = judgeTests('hole', threat.holes, testsOf);
  return {
    threat,
    passed: { proofs: proofs.passed, onLaptop: proofs.passedOnLaptop, holes: holes.passed },
    faults: [...proofs.faults, ...holes.faults],
  };
}

function judgeTests(kind: string, titles: TestTitles, testsOf: (file: string) => readonly ListedTest[]) {
  const named = Object.entries(titles).flatMap(([file, all]) => all.map((title) => ({ file, title })));
  const faults = named.length === 0 ? [`has no ${kind}`] : [];
  let passed = 0;
  let passedOnLaptop = 0;
  for (const { file, title } of named) {
    const pattern = patternOf(title);
    const tests = testsOf(file).filter((test) => pattern.test(test.title));
    if (tests.length === 0) faults.push(`${file} has no test “${title}”`);
    const others = tests.filter(({ status }) => status !== 'passed' && status !== 'listed');
    faults.push(...others.map((test) => `${test.status} in ${file}: “${test.title}”`));
    passed += tests.length - others.length;
    if (file.startsWith(JOURNEYS)) passedOnLaptop += tests.length - others.length;
  }
  return { passed, passedOnLaptop, faults };
}

/** Matches a title as jest prints it, with values in place of placeholders, and as it is in the source. */
function patternOf(title: string): RegExp {
  const parts = title.split(PLACEHOLDER).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
