/** What is wrong with a value of an event, as messages say it: the field, the value found and the values allowed. */
export function wrongValue(field: string, found: unknown, allowed: string): string {
  return `${field}: found ${describeValue(found)}; allowed: ${allowed}`;
}

/** What is wrong with the names of an event's fields; undefined where all are allowed. */
export function unknownField(event: object, allowed: readonly string[]): string | undefined {
  const unknown = Object.keys(event).find((field) => !allowed.includes(field));
  if (unknown === undefined) return undefined;
  return `${unknown.slice(0, 40)}: found a field of this name; allowed: ${allowed.join(', ')}`;
}

/** A value as messages show it: cut off, and of objects and lists no contents. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value).slice(0, 60);
}
