import { readFileSync, statSync } from 'node:fs';

import { checkShape, oncePerPlace } from './check-shape';
import { issueLine } from './configuration-issue';
import { profilesOf } from './issuers';
import { crossIssues } from './rules';
import { configurationSchemaOf, type Configuration } from './schema';
import { lateIssues, wellFormed } from './well-formed';

/** Maximum number of faults in a message: with hundreds of tenants, each may have the same one. */
const MAX_LISTED = 50;

/** An invalid configuration. The message lists its faults, each on its own line; `issues` has all of them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'invalid_configuration';
  readonly issues: readonly string[];

  constructor(source: string, issues: string[], options?: ErrorOptions) {
    const distinct = [...new Set(issues)];
    const unlisted = distinct.slice(MAX_LISTED).length;
    const lines = [...distinct.slice(0, MAX_LISTED), ...(unlisted === 0 ? [] : [`and ${unlisted} more`])];
    super(`${source} cannot be used:\n${lines.map((line) => `  ${line}`).join('\n')}`, options);
    this.issues = distinct;
  }
}

/**
 * Reads a configuration file.
 * @throws {ConfigurationError} lists every fault with its path, the value found and the allowed values
 */
export function loadConfiguration(file: string): Configuration {
  return parseConfiguration(readConfigurationFile(file), file);
}

/**
 * The JSON value of a configuration file.
 * @throws {ConfigurationError} if it cannot be read, or is no JSON
 */
export function readConfigurationFile(file: string): unknown {
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

/**
 * Checks a parsed configuration.
 * @param source file name for error messages
 * @throws {ConfigurationError} lists all faults
 */
export function parseConfiguration(value: unknown, source: string): Configuration {
  const read = profilesOf(value);
  const schema = configurationSchemaOf(read.profiles);
  const { data, issues } = checkShape(schema, value);
  const late = lateIssues(schema, value, true);
  const across = crossIssues(wellFormed(schema, value) ?? {});
  const all = oncePerPlace(late, read.issues, issues, across);
  if (data === undefined || all.length > 0) throw new ConfigurationError(source, all.map(issueLine));
  return data as Configuration;
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
