import { z } from 'zod';

type Json = Record<string, unknown>;

const text = z.string();
const plain = z.union([text, z.number(), z.boolean(), z.null()]);
const oneOrMore = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.array(schema).min(1)]);
const wildcard = z.strictObject({ wildcard: oneOrMore(text) });
const prefix = z.strictObject({ prefix: text });
const suffix = z.strictObject({ suffix: text });
const condition = z.union([
  plain,
  prefix,
  suffix,
  wildcard,
  z.strictObject({ exists: z.boolean() }),
  z.strictObject({ 'equals-ignore-case': text }),
  z.strictObject({ 'anything-but': z.union([oneOrMore(plain), prefix, suffix, wildcard]) }),
]);
const fields: z.ZodType<Json> = z.lazy(() =>
  z.object({ $or: z.array(fields).min(2).optional() }).catchall(z.union([z.array(condition).min(1), fields])),
);

/** An event pattern with the operators that {@link matchesPattern} knows. */
export const eventPattern = fields;

/**
 * Whether an event matches a pattern.
 * @see https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-create-pattern-operators.html
 */
export function matchesPattern(pattern: Json, event: unknown): boolean {
  return Object.entries(pattern).every(([key, wanted]) => {
    if (key === '$or') return (wanted as Json[]).some((one) => matchesPattern(one, event));
    const actual = (event as Json | undefined)?.[key];
    if (!Array.isArray(wanted)) return matchesPattern(wanted as Json, actual);
    // Of a list, one element must match.
    const values: unknown[] = Array.isArray(actual) ? actual : [actual];
    return wanted.some((one) => values.some((value) => matchesValue(one, value)));
  });
}

function matchesValue(wanted: unknown, actual: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return actual === wanted;
  const [[operator, operand]] = Object.entries(wanted as Json) as [[string, unknown]];
  if (operator === 'exists') return (actual !== undefined) === operand;
  if (operator === 'anything-but')
    return actual !== undefined && ![operand].flat().some((one) => matchesValue(one, actual));
  // All others need a text.
  if (typeof actual !== 'string') return false;
  switch (operator) {
    case 'prefix':
      return actual.startsWith(operand as string);
    case 'suffix':
      return actual.endsWith(operand as string);
    case 'equals-ignore-case':
      return actual.toLowerCase() === (operand as string).toLowerCase();
    case 'wildcard':
      return [operand].flat().some((one) => likeWildcard(one as string).test(actual));
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

function likeWildcard(pattern: string): RegExp {
  return new RegExp(`^${pattern.split('*').map(escape).join('.*')}$`);
}

function escape(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
