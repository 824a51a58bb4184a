import { existsSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HostError } from './host-error';
import { takeRunLock } from './run-lock';

/** Where one run keeps its files; absolute paths. */
export interface StateDir {
  /** The configuration with the sandbox's real address. */
  readonly configFile: string;
  /** The cloud assembly. */
  readonly outDir: string;
  /** PEM of what the run's clients must trust. */
  readonly caFile: string;
  /** `local.json`. */
  readonly runFile: string;
  /** Removes the run's files, and the directory when nothing else is in it. */
  remove(): void;
}

/**
 * Takes a directory for this run, and removes what a run that was killed left there.
 * @throws {HostError} `already_running`, or `foreign_directory` for one with files of somebody else
 */
export function takeStateDir(dir: string): StateDir {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const [other] = readdirSync(dir);
  if (other !== undefined && !['lock', 'lock.replacing'].some((name) => existsSync(join(dir, name)))) {
    // What is there is none of a run's: it is somebody else's, and would be removed.
    throw new HostError(
      'foreign_directory',
      `${dir}: found ${other} in it; allowed: a folder that is empty or new`,
    );
  }
  const lockFile = join(dir, 'lock');
  const lock = takeRunLock(lockFile, { isLocal: true });
  if ('heldBy' in lock) {
    throw new HostError(
      'already_running',
      `a local run is up already: process ${lock.heldBy ?? 0} holds ${lockFile}`,
    );
  }
  const files = {
    configFile: join(dir, 'config.json'),
    outDir: join(dir, 'cdk.out'),
    caFile: join(dir, 'ca.pem'),
    runFile: join(dir, 'local.json'),
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

/** The next run may have taken the directory already, or something else lies in it. */
function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) throw error;
  }
}
