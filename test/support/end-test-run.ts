import { rmSync } from 'node:fs';

import { testRunFolder } from './test-run';

/** Removes the folder that all tests of a run share, after the last test. */
export default function endTestRun(): void {
  const folder = testRunFolder();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}
