/** A JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * Converts a schema of the OpenAPI document to what API Gateway accepts for a model: JSON Schema draft 4, which has no
 * `const`, with each `$ref` replaced by its schema.
 * @param schemas the schemas that `$ref` can name
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/models-mappings-models.html
 */
export function modelSchema(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return inDraft4(schema, schemas) as JsonSchema;
}

function inDraft4(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((item) => inDraft4(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref, ...schema } = value as JsonSchema;
  if (typeof $ref === 'string') return inDraft4(schemas[$ref.slice('#/components/schemas/'.length)], schemas);
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, part]) =>
      keyword === 'const' ? ['enum', [part]] : [keyword, inDraft4(part, schemas)],
    ),
  );
}
