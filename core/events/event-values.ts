/** The message for a wrong value in an event: the field, the value found and the allowed values. */
export function wrongValue(field: string, found: unknown, allowed: string): string {
  return `${field}: found ${describeValue(found)}; allowed: ${allowed}`;
}

/** The message for an event with an unknown field; undefined if it has none. */
export function unknownField(event: object, allowed: readonly string[]): string | undefined {
  const unknown = Object.keys(event).find((field) => !allowed.includes(field));
  if (unknown === undefined) return undefined;
  return `${unknown.slice(0, 40)}: found a field of this name; allowed: ${allowed.join(', ')}`;
}

/** A value for a message: truncated, and without the contents of objects and lists. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(value).slice(0, 60);
}

/** Maximum tenants that a message lists. */
const MAX_NAMES = 20;

/**
 * Reads a list of tenants from an event; the message if one is not known. Removes duplicates: with them, a partial run
 * could look like one of all tenants.
 */
export function readTenantIds(
  tenantIds: unknown,
  known: readonly string[],
): { tenantIds: string[] } | { wrong: string } {
  if (!Array.isArray(tenantIds)) return { wrong: wrongValue('tenantIds', tenantIds, 'a list of tenants') };
  const unique = [...new Set<unknown>(tenantIds)];
  const isKnown = (tenantId: unknown) => typeof tenantId === 'string' && known.includes(tenantId);
  const unknown = unique.findIndex((tenantId) => !isKnown(tenantId));
  if (unknown === -1) return { tenantIds: unique as string[] };
  const names = known.slice(0, MAX_NAMES).join(', ');
  const more = known.length > MAX_NAMES ? ` and ${known.length - MAX_NAMES} more` : '';
  return { wrong: wrongValue('tenantIds', unique[unknown], `${names}${more}`) };
}
