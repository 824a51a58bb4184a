import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { TEST_RUN_VARIABLE } from './test-run';

/** Linux's file system in memory. Removing the thousands of folders that tests synthesize waits for a disk each time. */
const IN_MEMORY = '/dev/shm';
/** Several times what a run has there at once. Containers often have only 64 MB. */
const ENOUGH_BYTES = 4 * 2 ** 30;
const NAME = 'latchkey-test-run-';

/**
 * Creates the folder that all tests of a run share, with the bundles that they built, and with their temporary files.
 * Jest's worker processes inherit the variables.
 */
export default function beginTestRun(): void {
  const folder = mkdtempSync(join(parent(), `${NAME}${process.pid}-`));
  process.env[TEST_RUN_VARIABLE] = folder;
  process.env.TMPDIR = join(folder, 'tmp');
  mkdirSync(process.env.TMPDIR);
}

/** The folder for the run's; in memory if there is room and programs may start there, after removing what interrupted runs left there. */
function parent(): string {
  try {
    for (const name of readdirSync(IN_MEMORY)) {
      const isLeft = name.startsWith(NAME) && !isRunning(Number(name.slice(NAME.length).split('-')[0]));
      if (isLeft) rmSync(join(IN_MEMORY, name), { recursive: true, force: true });
    }
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const [, , , options = ''] =
      mounts.findLast((each) => each.split(' ')[1] === IN_MEMORY)?.split(' ') ?? [];
    const isEnough = bavail * bsize >= ENOUGH_BYTES && !options.split(',').includes('noexec');
    return isEnough ? IN_MEMORY : tmpdir();
  } catch {
    // Other systems have no such folder.
    return tmpdir();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user may not be sent signals.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
