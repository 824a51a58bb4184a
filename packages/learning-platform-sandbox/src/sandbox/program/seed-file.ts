import { readFileSync, statSync } from 'node:fs';
import { faultLine } from '../../input-faults';
import { UsageError } from './sandbox-options';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'a path that does not exist',
  ENOTDIR: 'a path that does not exist',
  EISDIR: 'a directory',
  EACCES: 'a file without read permission',
  EPERM: 'a file without read permission',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'text that is not UTF-8',
};

/**
 * Reads a seed file as JSON, without validating the seed.
 * @throws {UsageError} with one line if the file cannot be read or is not JSON
 */
export function readSeedFile(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const before = text.slice(0, faultOffset(error as SyntaxError, text)).split('\n');
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    throw new UsageError([faultLine('--seed', `a syntax error at ${place}`, 'JSON')]);
  }
}

/** Reads UTF-8 text, without a byte order mark. */
function readText(file: string): string {
  try {
    // Reading some devices never ends. A pipe is fine.
    if (statSync(file).isCharacterDevice())
      throw new UsageError([faultLine('--seed', 'a device', 'a JSON file')]);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const what = FILE_FAULTS[code] ?? `a file that cannot be read (${code})`;
    throw new UsageError([faultLine('--seed', what, 'a JSON file')]);
  }
}

/** The offset of the first JSON syntax error. V8 reports the position of some errors only. */
function faultOffset({ message }: SyntaxError, text: string): number {
  const named = / position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  // Binary search: text truncated before the wrong token is incomplete, text truncated after it is wrong.
  let incomplete = 0;
  let wrong = text.length + 1;
  while (wrong - incomplete > 1) {
    const middle = (incomplete + wrong) >> 1;
    if (hasWrongToken(text.slice(0, middle))) wrong = middle;
    else incomplete = middle;
  }
  return incomplete;
}

function hasWrongToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.startsWith('Unexpected token');
  }
}
