/** A schema of JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/**
 * A schema of the OpenAPI document as API Gateway takes it for a model: in draft 4 of JSON Schema, which has no `const`,
 * and with what it refers to in its place.
 * @param schemas what `$ref` may name
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
