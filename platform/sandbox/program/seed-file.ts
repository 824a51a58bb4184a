import { readFileSync, statSync } from 'node:fs';
import { found, UsageError } from './sandbox-options';

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no file there',
  ENOTDIR: 'no file there',
  EISDIR: 'a folder',
  EACCES: 'a file that may not be read',
  EPERM: 'a file that may not be read',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'text that is not UTF-8',
};

/**
 * Reads the document of a seed file, whatever it holds.
 * @throws {UsageError} when there is no JSON to read, with its one line
 */
export function readSeedFile(file: string): unknown {
  const text = readText(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    const before = text.slice(0, faultOffset(error as SyntaxError, text)).split('\n');
    const place = `line ${before.length}, column ${before.at(-1)!.length + 1}`;
    throw new UsageError([found('--seed', `a syntax error in ${place}`, 'JSON')]);
  }
}

/** Without a byte order mark, which editors put before the text. */
function readText(file: string): string {
  try {
    // Some devices have no end. A pipe has one.
    if (statSync(file).isCharacterDevice())
      throw new UsageError([found('--seed', 'a device', 'a JSON file')]);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const what = FILE_FAULTS[code] ?? `a file that cannot be read (${code})`;
    throw new UsageError([found('--seed', what, 'a JSON file')]);
  }
}

/** Where the text stops being JSON. The engine names the place of some faults only, and quotes the text for the others. */
function faultOffset({ message }: SyntaxError, text: string): number {
  const named = / position (\d+)/.exec(message)?.[1];
  if (named !== undefined) return Number(named);
  // Cut off before the wrong token the text is incomplete; cut off behind it, it is wrong.
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
