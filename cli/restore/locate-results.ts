import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { usageError } from '../command-error';
import { showFile } from '../show-argument';
import { resultsFailure } from './results-failure';

/**
 * Where results are: by one name, whatever links lead there, since they have one lock, and are replaced as a whole.
 * @throws {CommandError} usage, where there is something else than a file; its place must not be taken
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
