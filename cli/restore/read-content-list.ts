import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { type ActingUser } from '../../contract/restore-operation';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';
import { type ContentList, parseContentList } from './content-list';

/** What is open by another's doing: also where it is a file, there is no place for results beside such a name. */
const OPENED_FILE = /^\/(dev\/(stdin|fd\/)|proc\/)/;
/** More than the longest list takes. */
const MAX_BYTES = 128 * 1024 * 1024;
const FAULTS_SHOWN = 20;

/**
 * Reads the list that a file holds: UTF-8, with a byte order mark or without.
 * @throws {CommandError} usage, with everything that is wrong with it
 */
export function readContentList(file: string, usual: ActingUser): ContentList {
  const list = parseContentList(readText(file), usual);
  const { items, faults } = list;
  if (faults.length > 0) {
    const more = faults.length - FAULTS_SHOWN;
    const lines = [...faults.slice(0, FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
    throw new CommandError(
      EXIT.usage,
      'usage',
      `--from: found faults in ${showFile(file)}\n${lines.join('\n')}`,
      { advice: 'Nothing was sent.' },
    );
  }
  if (items.length === 0) {
    throw usageError('--from', `no content id in ${showFile(file)}`, 'one in each line');
  }
  return list;
}

function readText(file: string): string {
  if (file === '-' || OPENED_FILE.test(resolve(file))) throw noFile();
  try {
    const about = statSync(file);
    // A pipe or a device may have no end, and reading it could not be interrupted.
    if (!about.isFile() && !about.isDirectory()) throw noFile();
    if (about.size > MAX_BYTES) throw usageError('--from', `more than ${MAX_BYTES} bytes`, 'as many');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw usageError('--from', 'no UTF-8', 'UTF-8');
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw usageError('--from', `that ${showFile(file)} cannot be read (${code})`, 'a file that can');
  }
}

function noFile(): CommandError {
  return usageError(
    '--from',
    'standard input, a pipe or a device',
    'a file, which an interrupted run can be taken up from',
  );
}
