import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

import { type ActingUser } from '../../contract/restore-operation';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';
import { type ContentList, parseContentList } from './content-list';

/** Open descriptors: even if one is a file, results cannot be stored next to such a path. */
const OPENED_FILE = /^\/(dev\/(stdin|fd\/)|proc\/)/;
/** Larger than the longest list. */
const MAX_BYTES = 128 * 1024 * 1024;
const FAULTS_SHOWN = 20;

/**
 * Reads a list from a UTF-8 file, with or without a byte order mark.
 * @throws {CommandError} usage, listing everything that is wrong
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
    throw usageError('--from', `no content id in ${showFile(file)}`, 'one per line');
  }
  return list;
}

function readText(file: string): string {
  if (file === '-' || OPENED_FILE.test(resolve(file))) throw noFile();
  try {
    const about = statSync(file);
    // Reading a pipe or device may never end, and cannot be interrupted.
    if (!about.isFile() && !about.isDirectory()) throw noFile();
    if (about.size > MAX_BYTES)
      throw usageError('--from', `more than ${MAX_BYTES} bytes`, `at most ${MAX_BYTES} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw usageError('--from', 'no UTF-8', 'UTF-8');
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error;
    throw usageError('--from', `that ${showFile(file)} cannot be read (${code})`, 'a readable file');
  }
}

function noFile(): CommandError {
  return usageError(
    '--from',
    'standard input, a pipe or a device',
    'a file, so that an interrupted run can resume',
  );
}
