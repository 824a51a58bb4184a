import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { type Clause, extractClauses } from '../../src/conformance/clauses';
import { NOT_EXAMINED } from '../../src/conformance/not-examined';
import { conformancePage } from '../../src/conformance/page';
import { type CheckResult, runChecks } from '../../src/conformance/run-checks';
import { controlAt } from '../../src/testing/control';
import { sandboxTenant } from '../../src/testing/sandbox-tenant';
import { askSandbox, UNUSED_ORIGIN } from '../support/served-sandbox';

/** The clauses of the platform's specification. */
export function specifiedClauses(): Clause[] {
  return extractClauses(readFileSync(join(__dirname, '../../src/conformance/specification.md'), 'utf8'));
}

/** Runs all checks against a sandbox in this process. */
export async function examine(): Promise<CheckResult[]> {
  const send = askSandbox();
  const tenant = await sandboxTenant(controlAt(`${UNUSED_ORIGIN}/_sandbox`, send), send);
  return runChecks(ALL_CHECKS, { read: tenant, write: tenant });
}

/** The conformance page, with the results of a run against the sandbox. */
export function currentPage(results: readonly CheckResult[]): string {
  return conformancePage({ clauses: specifiedClauses(), results, notExamined: NOT_EXAMINED });
}
