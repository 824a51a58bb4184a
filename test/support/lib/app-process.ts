import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
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
 * Runs the app of a folder's cdk.json in its own process, as the CDK CLI does, and waits until it ends.
 * @param outdir for the assembly
 * @param environment additional variables; none of the test's own
 * @param folder the project's root unless given
 */
export function runApp(outdir: string, environment: Record<string, string>, folder = ROOT): AppRun {
  const { app } = JSON.parse(readFileSync(join(folder, 'cdk.json'), 'utf8')) as { app: string };
  const [, ...args] = app.split(' ');
  return spawnSync(process.execPath, args, {
    cwd: folder,
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
