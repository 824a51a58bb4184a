import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { bundlingOncePerRun } from '../bundling-once-per-run';
import { TEST_RUN_VARIABLE, testRunFolder } from '../test-run';

const ROOT = join(__dirname, '../../..');

/** The exit and output of a CDK app process. */
export interface AppRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs bin/app.ts in its own process, as the CDK CLI does, and waits until it ends.
 * @param outdir for the assembly
 * @param environment additional variables; none of the test's own
 */
export function runApp(outdir: string, environment: Record<string, string>): AppRun {
  return spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/app.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: outdir,
      [TEST_RUN_VARIABLE]: testRunFolder(),
      ...bundlingOncePerRun(),
      ...environment,
    },
  });
}
