import { readFileSync, statSync } from 'node:fs';

import { ConfigurationError } from './configuration-error';

/**
 * The value in a JSON file: a configuration, or the profile of an issuer.
 * @throws {ConfigurationError} if it cannot be read, or is no JSON
 */
export function readJsonFile(file: string): unknown {
  let text: string;
  try {
    // A device or a pipe may never end.
    if (!statSync(file).isFile()) throw new ConfigurationError(file, ['found no regular file']);
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(
      file,
      [`the file cannot be read (${(cause as NodeJS.ErrnoException).code})`],
      { cause },
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ConfigurationError(file, [
      `not valid JSON: ${describeSyntaxError(cause as SyntaxError, text)}`,
    ]);
  }
}

function describeSyntaxError(error: SyntaxError, text: string): string {
  // The engine's message quotes the file, which may contain a secret; a line number does not.
  const position = Number(/position (\d+)/.exec(error.message)?.[1] ?? positionOfToken(text));
  const before = text.slice(0, position).split('\n');
  return `syntax error in line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/**
 * The position of the unexpected token, for engines that do not report it. Found by bisection: a prefix without the
 * token fails as incomplete, a prefix with it fails as unexpected.
 */
function positionOfToken(text: string): number {
  let [before, after] = [0, text.length + 1];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isUnexpectedToken(text.slice(0, middle))) after = middle;
    else before = middle;
  }
  return before;
}

function isUnexpectedToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.startsWith('Unexpected token');
  }
}
