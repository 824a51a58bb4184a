import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { bundlingOncePerRun } from '../bundling-once-per-run';
import { TEST_RUN_VARIABLE, testRunFolder } from '../test-run';

const ROOT = join(__dirname, '../../..');

/** How a process of the CDK app ended, and what it wrote. */
export interface AppRun {
  status: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs bin/app.ts in a process of its own, as the CDK command does, and waits for its end.
 * @param outdir where the assembly goes
 * @param environment what the process knows beside; nothing of ours
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
