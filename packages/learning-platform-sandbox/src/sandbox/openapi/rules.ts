/** JSON Schema that requires at least one of the fields. */
export function anyOf(fields: readonly string[]) {
  return { anyOf: fields.map((field) => ({ required: [field] })) };
}

/** JSON Schema of properties that forbids the fields. */
export function absent(fields: readonly string[]): Record<string, false> {
  return Object.fromEntries(fields.map((field) => [field, false]));
}
