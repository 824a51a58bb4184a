/** A short name, or a tenant id (a Cognito user pool id). Secrets are longer and look different. */
export const PLAIN_NAME = /^([A-Za-z0-9_/-]{1,15}|[a-z]{2}(-[a-z]+)+-\d_[A-Za-z0-9]{1,9})$/;

/** The message for a wrong value in an event: the field, the value found and the allowed values. */
export function wrongValue(field: string, found: unknown, allowed: string): string {
  return `${field}: found ${describeValue(found)}; allowed: ${allowed}`;
}

/** The message for an event with an unknown field; undefined if it has none. */
export function unknownField(event: object, allowed: readonly string[]): string | undefined {
  const unknown = Object.keys(event).find((field) => !allowed.includes(field));
  if (unknown === undefined) return undefined;
  const name = PLAIN_NAME.test(unknown) ? unknown : 'another field';
  return `${name}: found a field of this name; allowed: ${allowed.join(', ')}`;
}

/** A value for a message: without the contents of objects and lists, or of a text that may be a misplaced secret. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'string' && value !== '' && !PLAIN_NAME.test(value)) {
    return `a text of ${value.length} characters`;
  }
  return JSON.stringify(value);
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
