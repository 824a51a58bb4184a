import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/** Linux's file system in memory. Removing the thousands of folders that tests synthesize waits for a disk each time. */
const IN_MEMORY = '/dev/shm';
/** Several times what a run has there at once. Containers often have only 64 MB. */
const ENOUGH_BYTES = 4 * 2 ** 30;

/**
 * Creates the folder that all tests of a run share, with what their programs have compiled, and with their temporary files.
 * Jest's worker processes inherit the variables.
 */
export default function beginTestRun(): void {
  const folder = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'latchkey-test-run-'));
  process.env[TEST_RUN_VARIABLE] = folder;
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
  const required = `--require ${JSON.stringify(join(__dirname, 'compile-once-in-programs.cjs'))}`;
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} ${required}`.trim();
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}
