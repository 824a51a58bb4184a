import { type core, z } from 'zod';

import { type ConfigurationIssue, unknownField } from './configuration-issue';

/** The issues of several checks. If several checks find issues at one path, only those of the first check are returned. */
export function firstPerPath(...checks: readonly (readonly ConfigurationIssue[])[]): ConfigurationIssue[] {
  const paths = new Set<string>();
  return checks.flatMap((issues) => {
    const fresh = issues.filter(({ path }) => !paths.has(JSON.stringify(path)));
    for (const { path } of fresh) paths.add(JSON.stringify(path));
    return fresh;
  });
}

/** Parses a value by a schema: the parsed data, or the issues. */
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

/** The issues of the union's choice that fits an object best: the one with the fewest. Undefined if no choice is an object. */
function meantChoice({ errors }: core.$ZodIssueInvalidUnion): core.$ZodIssue[] | undefined {
  return errors
    .filter((issues) => issues.every(({ code, path }) => code === 'unrecognized_keys' || path.length > 0))
    .sort((one, other) => one.length - other.length)[0];
}

/** Whether an option must be missing. */
function mustBeAbsent(field: z.core.$ZodType): boolean {
  const isWrapper = field instanceof z.ZodDefault || field instanceof z.ZodOptional;
  return isWrapper && field.def.innerType instanceof z.ZodNever;
}

const BETWEEN_NAMES = ', ';

/** The message of an `unrecognized_keys` issue: the allowed field names. */
function fieldsAllowed({ code, inst }: core.$ZodRawIssue): string | undefined {
  if (code !== 'unrecognized_keys') return undefined;
  if (inst instanceof z.ZodObject) {
    const names = Object.entries(inst.shape as z.core.$ZodShape).filter(([, field]) => !mustBeAbsent(field));
    return names.map(([name]) => name).join(BETWEEN_NAMES);
  }
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
