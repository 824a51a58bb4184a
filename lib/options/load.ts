import { readFileSync, statSync } from 'node:fs';

import { type core, z } from 'zod';

import { type ConfigurationIssue, issueLine, unknownField } from './configuration-issue';
import { crossIssues } from './rules';
import { configurationSchema, type Configuration } from './schema';
import { lateIssues, wellFormed } from './well-formed';

/** At most this many faults are in the message: with hundreds of tenants, each may have the same. */
const MOST_LISTED = 50;

/** An invalid configuration. The message lists its faults, each on its own line; `issues` has all of them. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly code = 'invalid_configuration';
  readonly issues: readonly string[];

  constructor(source: string, issues: string[], options?: ErrorOptions) {
    const distinct = [...new Set(issues)];
    const unlisted = distinct.slice(MOST_LISTED).length;
    const lines = [...distinct.slice(0, MOST_LISTED), ...(unlisted === 0 ? [] : [`and ${unlisted} more`])];
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
  const { data, issues } = checkShape(configurationSchema, value);
  const late = lateIssues(configurationSchema, value, true);
  const all = oncePerPlace(late, issues, crossIssues(wellFormed(configurationSchema, value) ?? {}));
  if (data === undefined || all.length > 0) throw new ConfigurationError(source, all.map(issueLine));
  return data;
}

/** The issues of several checks: of those of one place, only what the first check says that complains about it. */
export function oncePerPlace(...checks: readonly (readonly ConfigurationIssue[])[]): ConfigurationIssue[] {
  const places = new Set<string>();
  return checks.flatMap((issues) => {
    const others = issues.filter(({ path }) => !places.has(JSON.stringify(path)));
    for (const { path } of others) places.add(JSON.stringify(path));
    return others;
  });
}

/** What a schema makes of a value, or what is wrong with the value. */
export function checkShape<T>(
  schema: z.ZodType<T>,
  value: unknown,
): { data: T | undefined; issues: ConfigurationIssue[] } {
  const { data, error } = schema.safeParse(value, { error: fieldsAllowed });
  return { data, issues: (error?.issues ?? []).flatMap((issue) => describeIssue(issue, value)) };
}

function describeIssue(issue: core.$ZodIssue, root: unknown): ConfigurationIssue[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.message.split(BETWEEN_NAMES);
    return issue.keys.map((key) => unknownField(path, key, names));
  }
  const meant = issue.code === 'invalid_union' ? meantChoice(issue) : undefined;
  if (meant !== undefined) {
    return meant.flatMap((inner) => describeIssue({ ...inner, path: [...issue.path, ...inner.path] }, root));
  }
  const found = path.reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    root,
  );
  return [{ path, found, allowed: allowedBy(issue) }];
}

/** The fewest issues inside an object that a choice of a union allows; undefined if the value is no such object. */
function meantChoice({ errors }: core.$ZodIssueInvalidUnion): core.$ZodIssue[] | undefined {
  return errors
    .filter((issues) => issues.every(({ code, path }) => code === 'unrecognized_keys' || path.length > 0))
    .sort((one, other) => one.length - other.length)[0];
}

const BETWEEN_NAMES = ', ';

/** The message of an `unrecognized_keys` issue: the allowed field names. */
function fieldsAllowed({ code, inst }: core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  if (inst instanceof z.ZodObject) return Object.keys(inst.shape).join(BETWEEN_NAMES);
  return inst instanceof z.ZodRecord && inst.keyType instanceof z.ZodEnum
    ? inst.keyType.options.join(BETWEEN_NAMES)
    : undefined;
}

/** The message of the schema's rule; for a wrong type, the expected type. */
function allowedBy(issue: core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return issue.expected === 'record' ? 'an object' : `a value of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_key') return issue.issues.map(allowedBy).join('; ');
  return issue.message;
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
