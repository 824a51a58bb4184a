import { ALL_CHECKS } from '../../src/conformance/checks/all-checks';
import { type CheckResult, runChecks } from '../../src/conformance/run-checks';
import { controlAt } from '../../src/testing/control';
import { sandboxTenant } from '../../src/testing/sandbox-tenant';
import { askSandbox, servePlainly, UNUSED_ORIGIN } from '../../src/testing/served-sandbox';
import { type Violation } from './violation';

/** Runs all checks against a sandbox in this process, behind the front of a violation. */
export async function examine({
  front = (sandbox) => sandbox,
  plainHttp,
}: Pick<Violation, 'front' | 'plainHttp'> = {}): Promise<CheckResult[]> {
  const send = front(askSandbox());
  const plain = plainHttp && (await servePlainly(send));
  try {
    const { origin } = plain ?? { origin: UNUSED_ORIGIN };
    const tenant = await sandboxTenant(controlAt(`${origin}/_sandbox`, send), send);
    return await runChecks(ALL_CHECKS, { read: tenant, write: tenant });
  } finally {
    plain?.close();
  }
}

/**
 * Why a violation does not prove the checks of its clause. Empty if one of them fails, and of the other checks exactly
 * those in `alsoFails`.
 */
export function objectionsTo(
  { clause, alsoFails = [] }: Pick<Violation, 'clause' | 'alsoFails'>,
  results: readonly CheckResult[],
): string[] {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const foreign = failed.filter(({ clauses }) => !clauses.includes(clause)).map(({ name }) => name);
  return [
    ...(failed.length === foreign.length ? ['no check of the clause fails'] : []),
    ...foreign.filter((name) => !alsoFails.includes(name)).map((name) => `fails too: ${name}`),
    ...alsoFails.filter((name) => !foreign.includes(name)).map((name) => `does not fail: ${name}`),
    ...results
      .filter(({ outcome }) => outcome !== 'failed' && outcome !== 'passed')
      .map(({ name, outcome }) => `${outcome}: ${name}`),
  ];
}
