import { z } from 'zod';

/** JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** JSON Schema for zod schemas whose rules are code and cannot be converted. */
export type Rules = ReadonlyMap<z.core.$ZodType, JsonSchema>;

/**
 * Converts a zod schema to a JSON Schema that allows the same values.
 * @param io `input` for a request, `output` for a response
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
      // A zod pipe checks the list's length first and its elements second; JSON Schema has both in one place.
      if (def.type === 'pipe' && io === 'input') {
        jsonSchema.items = jsonSchemaOf(def.out as z.ZodType, io, rules).items as typeof jsonSchema.items;
      }
      Object.assign(jsonSchema, rules.get(zodSchema));
    },
  });
  delete converted.$schema;
  return converted;
}
