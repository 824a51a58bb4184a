import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';

import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';

/**
 * Writes, if a file has not changed since it was read.
 * @param name the file as the person knows it
 * @param textBefore what it had when the command read it; undefined if it did not exist
 * @throws {CommandError} if it has changed since, so that no other command's answers are lost, or cannot be written
 */
export function writeUnlessChanged<T>(
  file: string,
  name: string,
  textBefore: string | undefined,
  write: () => T,
): T {
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (textOf(file) !== textBefore) throw changedMeanwhile(name);
    // Replacing a file would get around its permissions.
    if (textBefore !== undefined) accessSync(file, constants.W_OK);
    return write();
  } catch (error) {
    const { code, path = name } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw changedMeanwhile(relative('', path));
    if (error instanceof CommandError || code === undefined) throw error;
    throw new CommandError(EXIT.failed, 'not_written', `${name} cannot be written (${code})`, {
      cause: error,
      advice: 'Nothing was written.',
    });
  }
}

/** The text of a file; undefined if there is none. */
export function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function changedMeanwhile(name: string): CommandError {
  return new CommandError(EXIT.failed, 'changed_meanwhile', `${name} has changed while this command ran`, {
    advice: 'Nothing was written. Run the same command again.',
  });
}
