import { z } from 'zod';

/** A schema of JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** What JSON Schema says of schemas whose own rules are code, which cannot be translated. */
export type Rules = ReadonlyMap<z.core.$ZodType, JsonSchema>;

/**
 * A zod schema in JSON Schema: it allows the same values. Objects are closed, but for those of requests whose unknown fields
 * are ignored.
 * @param io whether the schema is of a request (`input`) or of an answer (`output`)
 */
export function jsonSchemaOf(
  schema: z.ZodType,
  io: 'input' | 'output',
  rules: Rules = new Map(),
): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'undefined') jsonSchema.not = {};
      // A list is read in two steps: the first looks at its length only, the second at its elements.
      if (def.type === 'pipe' && io === 'input') {
        jsonSchema.items = jsonSchemaOf(def.out as z.ZodType, io, rules).items as typeof jsonSchema.items;
      }
      Object.assign(jsonSchema, rules.get(zodSchema));
    },
  });
  delete converted.$schema;
  return converted;
}
