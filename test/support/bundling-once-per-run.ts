import { join } from 'node:path';

import { testRunFolder } from './test-run';

/**
 * Variables for the environment of a Node program that tests start and that synthesizes: what it bundles is then bundled
 * once in a run of the tests. None outside of a run of jest.
 */
export function bundlingOncePerRun(): { NODE_OPTIONS?: string } {
  if (testRunFolder() === undefined) return {};
  const required = `--require ${JSON.stringify(join(__dirname, 'esbuild-once-in-programs.cjs'))}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${required}`.trim() };
}
