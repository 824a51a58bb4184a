import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { type Release, type RunLock, takeRunLock } from '../../local/run-lock';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';

/**
 * Resolves all links in the path of a results file, so that each file has one lock.
 * @throws {CommandError} usage, if something other than a file is there
 */
export function locateResults(path: string): string {
  try {
    const named = resolve(path);
    if (lstatSync(named, { throwIfNoEntry: false }) === undefined) {
      if (statSync(dirname(named), { throwIfNoEntry: false }) !== undefined) return named;
      throw usageError('--results', `that ${showFile(path)} has no folder`, 'a file in an existing folder');
    }
    const file = realpathSync(named);
    if (lstatSync(file).isFile()) return file;
  } catch (error) {
    // ENOENT: a dangling link.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw resultsFailure(error);
  }
  throw usageError(
    '--results',
    `that ${showFile(path)} is not a file`,
    'a file, or a path that does not exist yet',
  );
}

/** Locks a results file for this run. @throws {CommandError} `already_running`, or if the file system fails */
export function lockResults(file: string): Release {
  const lockFile = `${file}.lock`;
  let lock: RunLock;
  try {
    lock = takeRunLock(lockFile);
  } catch (error) {
    throw resultsFailure(error);
  }
  if ('release' in lock) return lock.release;
  throw new CommandError(EXIT.failed, 'already_running', `another run holds the lock ${showFile(lockFile)}`, {
    advice:
      'Two runs with one results file would send contents twice. Wait for the other run to end. ' +
      'If none is running, on this machine or another, remove the lock file.',
  });
}

/** The error for results that cannot be read or written. */
export function resultsFailure(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  const reason = typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : 'no reason given';
  return new CommandError(
    EXIT.failed,
    'results_not_written',
    `the results cannot be read or written (${reason})`,
    {
      cause: error,
      advice:
        'Nothing more is sent. Free disk space or fix the permissions, and run the same command again. ' +
        'Contents in flight without a stored result count as unknown.',
    },
  );
}
