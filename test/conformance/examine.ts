import { Agent } from 'node:https';
import { ALL_CHECKS } from '../../conformance/checks/all-checks';
import { sendOverHttps } from '../../conformance/https';
import { type CheckResult, runChecks } from '../../conformance/run';
import { examineSandbox } from '../../conformance/sandbox-tenant';
import { serveSandbox } from './served-sandbox';
import { type Variant } from './variant';

/** Runs all checks against the sandbox, or a variant of it, over HTTPS. */
export async function examine(variant?: Variant): Promise<CheckResult[]> {
  const sandbox = await serveSandbox(variant);
  const agent = new Agent({ ca: sandbox.caCertificate, keepAlive: true });
  try {
    const { tenant, reset } = await examineSandbox(sandbox.controlUrl, (request) =>
      sendOverHttps(request, agent),
    );
    return await runChecks(ALL_CHECKS, { read: tenant, write: tenant, control: tenant, begin: reset });
  } finally {
    agent.destroy();
    await sandbox.close();
  }
}

/**
 * What is wrong with a variant as a proof of the checks of its clause: nothing if one of them fails, and of the others just
 * those that the variant names.
 */
export function objectionsTo({ clause, alsoFails = [] }: Variant, results: readonly CheckResult[]): string[] {
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
