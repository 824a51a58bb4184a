/** What is wrong with an argument: the field, the value found, the values allowed. */
export function invalid(field: string, value: unknown, allowed: string): string {
  return `${field}: found ${show(value)}; allowed: ${allowed}`;
}

/**
 * A whole number within bounds.
 * @throws {TypeError} for what is no number
 * @throws {RangeError} for another number
 */
export function checkWhole(field: string, value: unknown, least: number, most: number): void {
  const allowed = `whole numbers from ${least} to ${most}`;
  if (typeof value !== 'number') throw new TypeError(invalid(field, value, allowed));
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new RangeError(invalid(field, value, allowed));
  }
}

/**
 * An access token; of what was found instead only the type is named.
 * @throws {TypeError}
 */
export function checkToken(field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${field}: found a value of type ${typeof value}; allowed: an access token, as text`);
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
