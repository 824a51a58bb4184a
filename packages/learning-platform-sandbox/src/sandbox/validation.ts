import { z } from 'zod';
import { faultLine, faultsOf, type InputFault, parseNamingFields, pathText } from '../input-faults';

export type { InputFault } from '../input-faults';

const MAX_SHOWN_CHARS = 80;
/** Maximum nesting of an input. Serializing deeper input could overflow the stack. */
const MAX_LEVELS = 1000;
/** A small input can have hundreds of thousands of faults. */
const MAX_REPORTED_FAULTS = 1000;

/** An invalid seed or control request. `issues` has one line per fault. */
export class InvalidInputError extends Error {
  readonly code = 'invalid_input';
  readonly issues: readonly string[];

  constructor(issues: readonly string[]) {
    super(issues.join('; '));
    this.name = 'InvalidInputError';
    this.issues = issues;
  }
}

/**
 * One line of an {@link InvalidInputError}: the field, the value found, and what is allowed. The value is truncated. Strings
 * inside an object or array are shown as `…`, because they might be secrets; so is an input that is itself a string.
 */
export function issueLine(path: readonly PropertyKey[], found: unknown, allowed: string): string {
  const isFieldText = typeof found === 'string' && path.length > 0;
  const hideText = (_key: string, value: unknown) => (typeof value === 'string' ? '…' : value);
  const json = JSON.stringify(found, isFieldText ? undefined : hideText);
  const shown = (json ?? 'nothing').slice(0, MAX_SHOWN_CHARS);
  return faultLine(pathText(path), shown, allowed);
}

/**
 * Validates input against a schema.
 * @param brokenRules returns faults that a schema cannot express, such as an identifier used twice
 * @throws {InvalidInputError} with the first {@link MAX_REPORTED_FAULTS} faults, each by its path
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  brokenRules: (input: unknown) => readonly InputFault[] = () => [],
): z.output<Schema> {
  if (isDeeperThan(MAX_LEVELS, input)) {
    throw new InvalidInputError([
      faultLine('(whole input)', 'more levels', `at most ${MAX_LEVELS} levels of arrays and objects`),
    ]);
  }
  const result = safelyParsed(schema, input);
  const faults: readonly InputFault[] = [...faultsOf(result.error?.issues ?? []), ...brokenRules(input)];
  if (result.success && faults.length === 0) return result.data;
  const reported = faults.slice(0, MAX_REPORTED_FAULTS);
  const lines = reported.map(({ path, message, isUnknownField }) =>
    isUnknownField === true
      ? faultLine(pathText(path), 'a field of this name', message)
      : issueLine(path, valueAt(input, path), message),
  );
  const omitted = faults.length - reported.length;
  throw new InvalidInputError(omitted > 0 ? [...lines, `(whole input): ${omitted} more faults`] : lines);
}

function safelyParsed<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  try {
    return parseNamingFields(schema, input);
  } catch (error) {
    // zod passes an array's faults as arguments of one call, and too many of them overflow the stack.
    if (error instanceof RangeError) throw new InvalidInputError(['(whole input): too many faults to list']);
    throw error;
  }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

/** A positive integer. Zod enforces the upper limit; `meta` adds it to the JSON Schema. */
export const countSchema = z.int().min(1).meta({ maximum: Number.MAX_SAFE_INTEGER });

/** A string whose length is within the limits, in code points, as JSON Schema counts. */
export function textSchema(minChars: number, maxChars: number) {
  const allowed = `a string of ${minChars} to ${maxChars} characters`;
  const isOfLength = (text: string) => {
    const { length } = [...text];
    return minChars <= length && length <= maxChars;
  };
  return z.string(allowed).refine(isOfLength, allowed).meta({ minLength: minChars, maxLength: maxChars });
}
