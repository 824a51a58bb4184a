import { lstatSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { usageError } from '../command-error';
import { showFile } from '../show-argument';
import { resultsFailure } from './results-failure';

/**
 * Where results are: by one name, whatever links lead there, since they have one lock, and are replaced as a whole.
 * @throws {CommandError} usage, where there is something else than a file; its place must not be taken
 */
export function locateResults(path: string): string {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return resolve(path);
    const file = realpathSync(path);
    if (lstatSync(file).isFile()) return file;
  } catch (error) {
    // A link that leads nowhere.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw resultsFailure(error);
  }
  throw usageError(`--results: found that ${showFile(path)} is no file; allowed: a file, or none yet`);
}
