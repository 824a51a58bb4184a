import { readFileSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

import { CONTENT_ID_RULE, contentKey, isContentId } from '../../core/restore/content-id';
import { parseJsonObject } from '../../core/json/json-object';
import { type ActingUser, REFERENCE_RULE } from '../../core/restore/restore-operation';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';
import { isReference, type RestoreItem } from './item';

const MAX_CONTENTS = 100_000;
const MAX_FAULTS_SHOWN = 20;
const FIELDS = ['contentId', 'authorRef', 'collaborationId'];

/** The contents to restore. */
export interface ContentList {
  /** Each content once, in list order. */
  readonly items: readonly RestoreItem[];
  /** Number of lines that repeat a content. */
  readonly duplicates: number;
}

/**
 * Reads a list from a UTF-8 file. Each line is a content id, or an object with `contentId` and `authorRef`,
 * `collaborationId` or both. Ignores empty lines and those that begin with `#`.
 * @param defaultUser who acts if a line does not say
 * @throws {CommandError} usage, listing everything that is wrong without quoting values
 */
export function readContentList(file: string, defaultUser: ActingUser): ContentList {
  const firsts = new Map<string, { item: RestoreItem; number: number }>();
  const faults: string[] = [];
  let duplicates = 0;
  for (const [index, line] of readText(file).split('\n').entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const number = index + 1;
    const item = parseLine(text, defaultUser);
    if (typeof item === 'string') {
      faults.push(`line ${number}: ${item}`);
      continue;
    }
    const key = contentKey(item.contentId);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, { item, number });
    else if (isDeepStrictEqual(first.item, item)) duplicates += 1;
    else
      faults.push(
        `line ${number}: found the content of line ${first.number} in a different case, or with a different author or collaboration`,
      );
  }
  if (firsts.size > MAX_CONTENTS)
    faults.push(`found ${firsts.size} contents; allowed: at most ${MAX_CONTENTS}`);
  if (faults.length > 0) throw faultyList(file, faults);
  if (firsts.size === 0) throw usageError('--from', `no content id in ${showFile(file)}`, 'one per line');
  return { items: [...firsts.values()].map(({ item }) => item), duplicates };
}

/** The item of a line, or what is wrong with it. */
function parseLine(line: string, defaultUser: ActingUser): RestoreItem | string {
  const fields = line.startsWith('{') ? parseJsonObject(line) : { contentId: line };
  if (fields === undefined) return 'found no JSON; allowed: a content id, or a JSON object';
  if (Object.keys(fields).some((name) => !FIELDS.includes(name)))
    return `found an unknown field; allowed: ${FIELDS.join(', ')}`;
  const { contentId, ...references } = fields;
  if (!isContentId(contentId)) return `found no content id; allowed: ${CONTENT_ID_RULE}`;
  for (const [name, reference] of Object.entries(references)) {
    if (!isReference(reference)) return `${name}: found something else; allowed: ${REFERENCE_RULE}`;
  }
  const actingUser: ActingUser = Object.keys(references).length > 0 ? references : defaultUser;
  return Object.keys(actingUser).length > 0
    ? { contentId, actingUser }
    : 'found neither authorRef nor collaborationId; allowed: either or both, in the line or as an option';
}

function readText(file: string): string {
  try {
    // Reading a pipe may never end, and another run could not read it again to resume.
    if (!statSync(file).isFile()) throw usageError('--from', 'a folder, pipe or device', 'a file');
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw usageError('--from', `that ${showFile(file)} cannot be read (${code})`, 'a readable UTF-8 file');
  }
}

function faultyList(file: string, faults: readonly string[]): CommandError {
  const more = faults.length - MAX_FAULTS_SHOWN;
  const lines = [...faults.slice(0, MAX_FAULTS_SHOWN), ...(more > 0 ? [`and ${more} more`] : [])];
  return new CommandError(
    EXIT.usage,
    'usage',
    `--from: found faults in ${showFile(file)}\n${lines.join('\n')}`,
    { advice: 'Nothing was sent.' },
  );
}
