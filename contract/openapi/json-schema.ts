/** A JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}
