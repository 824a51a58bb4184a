import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs the peers from the lock file where they are missing or older than it. They are packages of this folder
 * only, so that nobody who just uses the toolkit has to fetch them.
 * @throws {Error} if npm cannot
 */
export function installPackages(progress: (text: string) => void): void {
  const lock = join(__dirname, 'package-lock.json');
  const installed = join(__dirname, 'node_modules', '.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  progress('installing the packages of bench/package-lock.json (430 MB with two Node binaries) …');
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: __dirname,
    // Standard output is the tables' alone.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (error !== undefined || status !== 0) {
    throw new Error('the peers could not be installed; run `npm ci` in bench/ to see why', { cause: error });
  }
}
