import { z } from 'zod';

const SHOWN_CHARS = 80;
/** Far more than any input needs, and far too few to overflow the stack when the input is serialized again. */
const MAX_LEVELS = 1000;
/** At most so many faults of one input are reported: a small input can have hundreds of thousands. */
const MAX_REPORTED_FAULTS = 1000;

/** Input from outside (a seed, a control request) that breaks its schema; `issues` has one line per fault. */
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
 * One line of an {@link InvalidInputError}: the field, the value found, and what is allowed there. The value is shortened,
 * and strings inside it are left out: beside a field that is wrong there may be a secret. A whole input that is a string may be one.
 */
export function issueLine(path: readonly PropertyKey[], found: unknown, allowed: string): string {
  const json = JSON.stringify(found, (key, value: unknown) =>
    typeof value === 'string' && (key !== '' || path.length === 0) ? '…' : value,
  );
  const shown = (json ?? 'nothing').slice(0, SHOWN_CHARS);
  return `${path.map(String).join('.') || '(whole input)'}: got ${shown}; ${allowed}`;
}

/** One fault of an input: where it is, and what is allowed there. */
export interface InputFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads unknown input through a schema.
 * @param brokenRules finds what a schema cannot: faults between parts that are right by themselves
 * @throws {InvalidInputError} with every fault of the input at once, each by its path; of very many, with the first ones.
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  brokenRules: (input: unknown) => readonly InputFault[] = () => [],
): z.output<Schema> {
  if (isDeeperThan(MAX_LEVELS, input)) {
    throw new InvalidInputError([`(whole input): at most ${MAX_LEVELS} levels of arrays and objects`]);
  }
  const result = safelyParsed(schema, input);
  const faults: readonly InputFault[] = [...(result.error?.issues ?? []), ...brokenRules(input)];
  if (result.success && faults.length === 0) return result.data;
  const reported = faults.slice(0, MAX_REPORTED_FAULTS);
  const lines = reported.map(({ path, message }) => issueLine(path, valueAt(input, path), message));
  const more = faults.length - reported.length;
  throw new InvalidInputError(more > 0 ? [...lines, `(whole input): ${more} further faults`] : lines);
}

function safelyParsed<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  try {
    return schema.safeParse(input);
  } catch (error) {
    // The faults within an array are handed on as arguments of one call: there may be too many of them for the stack.
    if (error instanceof RangeError) throw new InvalidInputError(['(whole input): too many faults to tell']);
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

/** A string of that length in characters. As in JSON Schema, one outside the Basic Multilingual Plane counts once. */
export function textSchema(minChars: number, maxChars: number) {
  const allowed = `a string of ${minChars} to ${maxChars} characters`;
  const isOfLength = (text: string) => {
    const { length } = [...text];
    return minChars <= length && length <= maxChars;
  };
  return z.string(allowed).refine(isOfLength, allowed).meta({ minLength: minChars, maxLength: maxChars });
}
