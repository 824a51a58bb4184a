import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { QUIET_CONTEXT, runAppHere } from '../../support/lib/app-process';
import { testRunFolder } from '../../support/test-run';
import { PROJECT_ROOT } from './local-process';

/** The assembly of the app with `config/local.json`, synthesized once per jest process. */
export async function sharedApp(): Promise<string> {
  const run = testRunFolder();
  if (run === undefined) throw new Error('found no run of jest, whose journeys share the app');
  const assembly = join(run, `app-${process.env.JEST_WORKER_ID}`);
  if (existsSync(join(assembly, 'manifest.json'))) return assembly;
  const { status, stderr } = runAppHere(assembly, {
    ...(process.env as Record<string, string>),
    LATCHKEY_CONFIG: join(PROJECT_ROOT, 'config/local.json'),
    CDK_CONTEXT_JSON: JSON.stringify(QUIET_CONTEXT),
  });
  if (status !== 0) throw new Error(stderr);
  return assembly;
}
