import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/** Makes the folder that all tests of a run share, before the first of them. Jest's processes inherit its name. */
export default function beginTestRun(): void {
  process.env[TEST_RUN_VARIABLE] = mkdtempSync(join(tmpdir(), 'latchkey-test-run-'));
}
