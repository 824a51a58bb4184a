import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';

import { testRunFolder } from '../test-run';

const ROOT = join(__dirname, '../../..');

/** The package as a release has it. */
export interface ReleasedPackage {
  tarball: string;
  /** With the tarball's files. */
  folder: string;
}

/**
 * The package, built once per test run, for all files and processes. Read-only, since others share it.
 * @throws {Error} outside jest, or if the package can't be built
 */
export function packageOncePerRun(): ReleasedPackage {
  const run = testRunFolder();
  if (run === undefined) throw new Error('found no run of jest, whose tests share the package');
  const release = join(run, 'release');
  while (!existsSync(release)) {
    // Two builds at once would write the same files.
    const lock = `${release}.lock`;
    if (!isTaken(lock)) pause(100);
    else {
      try {
        if (!existsSync(release)) build(release);
      } finally {
        rmdirSync(lock);
      }
    }
  }
  const tarball = readdirSync(release).find((file) => file.endsWith('.tgz'))!;
  return { tarball: join(release, tarball), folder: join(release, 'package') };
}

/** Writes a release, with its tarball extracted, into a folder that appears when it is complete. */
function build(release: string): void {
  const unfinished = `${release}.${process.pid}`;
  const program = join(ROOT, 'tools/builds/release-files.ts');
  execFileSync(process.execPath, ['--require', 'tsx/cjs', program, unfinished], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const tarball = readdirSync(unfinished).find((file) => file.endsWith('.tgz'))!;
  execFileSync('tar', ['-xzf', join(unfinished, tarball), '-C', unfinished]);
  renameSync(unfinished, release);
}

/** Whether the lock was free, and is now held by this process. */
function isTaken(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
