import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { testRunFolder } from './test-run';

const ROOT = join(__dirname, '../..');

export function writeRelease(destination: string) {
  const program = ['--require', 'tsx/cjs', join(ROOT, 'tools/builds/release-files.ts'), destination];
  const { status, stderr } = spawnSync(process.execPath, program, { cwd: ROOT, encoding: 'utf8' });
  return { status, stderr };
}

/** The folder with the files of a release of these sources. Written once per test run; others read it too. */
export function releaseFolder(): string {
  const kept = join(testRunFolder()!, 'release');
  while (!existsSync(kept)) {
    // One process builds, and the others wait.
    const lock = `${kept}.lock`;
    if (isTaken(lock)) {
      try {
        if (!existsSync(kept)) build(kept);
      } finally {
        rmdirSync(lock);
      }
    } else {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  return kept;
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

/** Writes a release into a folder that appears when it is complete. */
function build(folder: string): void {
  const unfinished = `${folder}.${process.pid}`;
  const { status, stderr } = writeRelease(unfinished);
  if (status !== 0) throw new Error(stderr);
  renameSync(unfinished, folder);
}

/** The package as it is published. */
export function tarball(): string {
  const folder = releaseFolder();
  return join(
    folder,
    readdirSync(folder).find((file) => file.endsWith('.tgz'))!,
  );
}

/**
 * Installs the package in a project as `npm install` does it, but without a registry.
 * @param packages of this checkout to install with it; a scope stands for all its packages
 */
export function installPackage(project: string, packages: readonly string[]): string {
  const installed = join(project, 'node_modules/latchkey');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball(), '--strip-components=1', '-C', installed]);
  for (const name of packages) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  symlinkSync('../latchkey/bin/latchkey.cjs', join(project, 'node_modules/.bin/latchkey'));
  return installed;
}
