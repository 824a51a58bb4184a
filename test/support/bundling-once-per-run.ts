import { join } from 'node:path';

import { testRunFolder } from './test-run';

/**
 * Environment variables for a Node program that synthesizes, so that its bundles are built once per test
 * run. Empty outside jest.
 */
export function bundlingOncePerRun(): { NODE_OPTIONS?: string } {
  if (testRunFolder() === undefined) return {};
  const required = `--require ${JSON.stringify(join(__dirname, 'esbuild-once-in-programs.cjs'))}`;
  return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${required}`.trim() };
}
