/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

interface Schema {
  readonly type?: string;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Not tried: creating this many contents takes too long. */
const MANY = 10_000;

/**
 * For each field name in a schema: values around the allowed limits. Strings use
 * characters of one and two UTF-16 code units.
 */
export function nearValues(schema: Schema, values = new Map<string, Json[]>()): Map<string, Json[]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    values.set(name, [...(values.get(name) ?? []), ...around(field), null]);
    nearValues(field, values);
  }
  if (schema.items) nearValues(schema.items, values);
  return values;
}

function around(schema: Schema): Json[] {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum) return [...schema.enum];
  if (schema.type === 'boolean') return [true, false];
  if (schema.type === 'string') return texts(schema);
  if (schema.type === 'array') return lists(schema);
  if (schema.type === 'object') return [{}];
  return schema.type === 'number' || schema.type === 'integer' ? numbers(schema) : ['a', {}];
}

function numbers({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema): number[] {
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((each) => each !== undefined);
  const around = limits.flatMap((limit) => [limit - 1, limit, limit + 1]);
  return [...around.filter((each) => maximum !== MANY || each < 2 || each > MANY), 0.5, 3];
}

function texts({ minLength = 0, maxLength = minLength, pattern }: Schema): string[] {
  // Patterns here match a number of digits and letters.
  const lengths = pattern ? [23, 24, 25, 128, 129] : [0, minLength, maxLength, maxLength + 1];
  return ['a', ...lengths.flatMap((length) => ['b'.repeat(length), '\u{1f600}'.repeat(length)])];
}

function lists({ items = {}, maxItems = 2 }: Schema): Json[] {
  const [element = 'a'] = items.type === 'object' ? [{}] : around(items);
  // Long lists are slow, and their limit is tested like any other.
  const lengths = maxItems > 200 ? [0, 1, 2] : [0, 1, maxItems, maxItems + 1];
  return lengths.map((length) => Array<Json>(length).fill(element));
}
