import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/** Creates the folder that all tests of a run share. Jest's worker processes inherit its name. */
export default function beginTestRun(): void {
  process.env[TEST_RUN_VARIABLE] = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
}
