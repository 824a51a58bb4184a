import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/**
 * Creates the folder that all tests of a run share, with what their programs have compiled. Jest's worker processes inherit
 * both variables.
 */
export default function beginTestRun(): void {
  process.env[TEST_RUN_VARIABLE] = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
  const required = `--require ${JSON.stringify(join(__dirname, 'compile-once-in-programs.cjs'))}`;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${required}`.trim();
}
