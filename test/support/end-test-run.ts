import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

import { testRunFolder } from './test-run';

/** Removes the folder that all tests of a run share, after the last test. */
export default function endTestRun(): void {
  const folder = testRunFolder();
  if (folder === undefined) return;
  rmSync(folder, { recursive: true, force: true });
  // With --watch, the next run begins in the same process.
  process.env.TMPDIR = dirname(folder);
}
