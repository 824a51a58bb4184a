import { type z } from 'zod';

const SHOWN_CHARS = 80;

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
 * and strings inside it are left out: beside a field that is wrong there may be a secret.
 */
export function issueLine(path: readonly PropertyKey[], found: unknown, allowed: string): string {
  const json = JSON.stringify(found, (key, value: unknown) =>
    key !== '' && typeof value === 'string' ? '…' : value,
  );
  const shown = (json ?? 'nothing').slice(0, SHOWN_CHARS);
  return `${path.map(String).join('.') || '(whole input)'}: got ${shown}; ${allowed}`;
}

/**
 * Reads unknown input through a schema.
 * @throws {InvalidInputError} with every fault of the input at once, each by its path.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new InvalidInputError(
    result.error.issues.map((issue) => issueLine(issue.path, valueAt(input, issue.path), issue.message)),
  );
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}
