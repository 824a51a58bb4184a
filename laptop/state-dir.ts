import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AUTHORITIES_FOLDER, HostError } from 'cdk-on-loopback';
import { isRunLock, takeRunLock } from './run-lock';

/** The files of one run; absolute paths. */
export interface StateDir {
  /** The configuration with the sandbox's real address. */
  readonly configFile: string;
  /** The cloud assembly. */
  readonly outDir: string;
  /** The code of functions that templates contain. */
  readonly inlineCodeDir: string;
  /** PEM of the CA certificates that the run's clients must trust. */
  readonly caFile: string;
  /** `local.json`. */
  readonly runFile: string;
  /** Removes the run's files, and the directory if it is then empty. */
  remove(): void;
}

/**
 * Locks a directory for this run, and removes the files of a run that was killed.
 * @throws {HostError} `already_running`, or `foreign_directory` if the directory holds other files
 */
export function takeStateDir(dir: string): StateDir {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const locks = ['lock', 'lock.replacing'].map((name) => join(dir, name)).filter((file) => existsSync(file));
  const [other] = readdirSync(dir);
  if (other !== undefined && (locks.length === 0 || !locks.every(isRunLock))) {
    // Without a lock of ours, these are not a run's files. Cleaning up would delete someone else's work.
    throw new HostError('foreign_directory', `${dir}: found ${other} in it; allowed: an empty or new folder`);
  }
  const lockFile = join(dir, 'lock');
  const lock = takeRunLock(lockFile, { isLocal: true });
  if ('heldBy' in lock) {
    throw new HostError(
      'already_running',
      `a local run is up already: process ${lock.heldBy ?? 0} holds ${lockFile}; stop it, or choose another --state-dir`,
    );
  }
  const files = {
    configFile: join(dir, 'config.json'),
    outDir: join(dir, 'cdk.out'),
    inlineCodeDir: join(dir, 'inline-code'),
    caFile: join(dir, 'ca.pem'),
    runFile: join(dir, 'local.json'),
    authoritiesDir: join(dir, AUTHORITIES_FOLDER),
  };
  const removeFiles = (): void => {
    for (const path of Object.values(files)) rmSync(path, { recursive: true, force: true });
  };
  removeFiles();
  return {
    ...files,
    remove: () => {
      removeFiles();
      lock.release();
      removeIfEmpty(dir);
    },
  };
}

/** Leaves the directory if the next run has taken it, or other files are in it. */
function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error;
  }
}
