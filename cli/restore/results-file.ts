import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { type Release, type RunLock, takeRunLock } from '../../local/run-lock';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';

/**
 * Path of a results file with all links resolved: one file has one lock, and is replaced as a whole.
 * @throws {CommandError} usage, where something else than a file is there, which must not be replaced
 */
export function locateResults(path: string): string {
  try {
    const named = resolve(path);
    if (lstatSync(named, { throwIfNoEntry: false }) === undefined) {
      if (statSync(dirname(named), { throwIfNoEntry: false }) !== undefined) return named;
      throw usageError(
        '--results',
        `that ${showFile(path)} has no folder`,
        'a file in a folder that is there',
      );
    }
    const file = realpathSync(named);
    if (lstatSync(file).isFile()) return file;
  } catch (error) {
    // A link that leads nowhere.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw resultsFailure(error);
  }
  throw usageError('--results', `that ${showFile(path)} is no file`, 'a file, or none yet');
}

/** Locks a results file for this run. @throws {CommandError} `already_running`, or where the file system refuses */
export function lockResults(file: string): Release {
  const lockFile = `${file}.lock`;
  let lock: RunLock;
  try {
    lock = takeRunLock(lockFile);
  } catch (error) {
    throw resultsFailure(error);
  }
  if ('release' in lock) return lock.release;
  throw new CommandError(EXIT.failed, 'already_running', `another run holds ${showFile(lockFile)}`, {
    advice:
      'Two runs on one results file would send contents twice. Wait for its end; ' +
      'if there is none, on this machine or another, remove that file.',
  });
}

/** Results that cannot be read or written. */
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
        'No more is sent without them. Make room, or give the right to write, and run the same command again: ' +
        'a content whose result is not written down counts as unknown.',
    },
  );
}
