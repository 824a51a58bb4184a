import { z, type core } from 'zod';

/** One fault of an input: its path, and what is allowed there. */
export interface InputFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Whether the field itself is not allowed. Its value may be a misplaced secret. */
  readonly isUnknownField?: boolean;
}

/** `path: found WHAT; allowed: …` */
export function faultLine(path: string, found: string, allowed: string): string {
  return `${path}: found ${found}; allowed: ${allowed}`;
}

/** A path in an input, such as `issuers[0].tenants`. */
export function pathText(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>(
    (all, part) => (typeof part === 'number' ? `${all}[${part}]` : `${all}.${String(part)}`),
    '',
  );
  return text === '' ? '(whole input)' : text.replace(/^\./, '');
}

/** Parses input against a schema, so that {@link faultsOf} can name the allowed fields. */
export function parseNamingFields<Schema extends z.ZodType>(schema: Schema, input: unknown) {
  return schema.safeParse(input, { error: allowedFields });
}

/** The faults that zod found: one for each value, and for each unknown field. */
export function faultsOf(issues: readonly core.$ZodIssue[]): InputFault[] {
  return issues.flatMap((issue): InputFault[] => {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys') return [{ path, message: allowedIn(message) }];
    return issue.keys.map((key) => ({ path: [...path, key], message, isUnknownField: true }));
  });
}

function allowedFields({ code, inst }: core.$ZodRawIssue): string | undefined {
  const isOfFields = code === 'unrecognized_keys' && inst instanceof z.ZodObject;
  return isOfFields ? Object.keys(inst.shape).join(', ') : undefined;
}

/** Reduces a message of zod to what is allowed. The messages of our own schemas say only that. */
function allowedIn(message: string): string {
  return message
    .replace(/^(Invalid \w+|Too small|Too big): expected /, '')
    .replace(/, received .*$/, '')
    .replace(/^(\w+) to be /, '$1 ')
    .replace(/^(\w+) to have /, '$1 of ')
    .replace(/^one of "(.*)"$/, (_, words: string) => words.replaceAll('"|"', ', '));
}
