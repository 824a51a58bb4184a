import { ENVIRONMENTS, narrowTokenType, PLATFORM_REGIONS, TENANT_ID } from '../contract/platform';
import { type TokenKey, tokenKeyOf } from '../contract/token-key';

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

/**
 * The five fields of a key, and no others.
 * @throws {TypeError} naming the field, the value found and the values allowed
 */
export function checkTokenKey(key: TokenKey): TokenKey {
  const found: Partial<Record<keyof TokenKey, unknown>> = key ?? {};
  const environment = oneOf('environment', found.environment, ENVIRONMENTS);
  const platformRegion = oneOf('platformRegion', found.platformRegion, PLATFORM_REGIONS);
  const { tenantId } = found;
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) {
    throw new TypeError(
      invalid('tenantId', tenantId, '1 to 128 letters, digits, _ and -, beginning with a letter or digit'),
    );
  }
  const tokenType = narrowTokenType(found.interface, found.scope);
  if ('wrong' in tokenType) {
    const { wrong, allowed } = tokenType;
    throw new TypeError(invalid(wrong, found[wrong], allowed.join(', ')));
  }
  return tokenKeyOf({ environment, platformRegion, tenantId }, tokenType);
}

function oneOf<T>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new TypeError(invalid(field, value, allowed.join(', ')));
  return found;
}

/** What is wrong with an argument: the field, the value found, the values allowed. */
function invalid(field: string, value: unknown, allowed: string): string {
  return `${field}: found ${show(value)}; allowed: ${allowed}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
