import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clause, extractClauses } from '../../src/conformance/clauses';
import { NOT_EXAMINED } from '../../src/conformance/not-examined';
import { conformancePage } from '../../src/conformance/page';
import { type CheckResult } from '../../src/conformance/run-checks';
import { ALL_VIOLATIONS } from './violations/all-violations';

export { examine } from './examine';

const ROOT = join(__dirname, '../../../..');
/** The clauses of the platform's specification. */
export function specifiedClauses(): Clause[] {
  return extractClauses(
    readFileSync(join(ROOT, 'packages/learning-platform-sandbox/src/conformance/specification.md'), 'utf8'),
  );
}

/** The conformance page, with the results of a run against the sandbox. */
export function currentPage(results: readonly CheckResult[]): string {
  return conformancePage({
    clauses: specifiedClauses(),
    results,
    notExamined: NOT_EXAMINED,
    violations: ALL_VIOLATIONS.length,
  });
}
