import { TENANT_ID } from '../core/deployment/platform';
import { type WrongField, wrongDeploymentFields, wrongTokenFields } from '../core/tokens/key-check';
import { type TokenKey } from '../core/tokens/published-keys';
import { tokenKeyOf } from '../core/tokens/token-key';

/**
 * Checks that a value is a whole number from `min` to `max`.
 * @throws {TypeError} if it is not a number
 * @throws {RangeError} if it is not whole or out of range
 */
export function checkWhole(field: string, value: unknown, min: number, max: number): void {
  const allowed = `whole numbers from ${min} to ${max}`;
  if (typeof value !== 'number') throw new TypeError(invalid(field, value, allowed));
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(invalid(field, value, allowed));
  }
}

/**
 * Checks that a value is a string, for an access token. The error names only the type found, never the value.
 * @throws {TypeError}
 */
export function checkToken(field: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`${field}: found a value of type ${typeof value}; allowed: an access token string`);
}

/**
 * Checks a token key and returns its fields without any others.
 * @throws {TypeError} that names the field, the value found and the allowed values
 */
export function checkTokenKey(key: TokenKey): TokenKey {
  const fields: Partial<Record<keyof TokenKey, unknown>> = key ?? {};
  const refuse = ({ field, allowed }: WrongField) => {
    throw new TypeError(invalid(field, fields[field], allowed));
  };
  wrongDeploymentFields(fields).forEach(refuse);
  const { tenantId } = fields;
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) {
    throw new TypeError(
      invalid('tenantId', tenantId, '1 to 128 letters, digits, _ and -, starting with a letter or digit'),
    );
  }
  wrongTokenFields(fields).forEach(refuse);
  return tokenKeyOf(key, key) as TokenKey;
}

/**
 * The token key of a text, as `environment()` of a token in a CDK app writes it.
 * @param text `process.env.LATCHKEY_TOKEN`
 * @throws {TypeError} that names the field, the value found and the allowed values
 */
export function parseTokenKey(text: string | undefined): TokenKey {
  let key: unknown;
  try {
    key = JSON.parse(text ?? '');
  } catch {
    throw new TypeError(
      invalid('text', text, 'a token key in JSON, as token.environment() writes LATCHKEY_TOKEN'),
    );
  }
  return checkTokenKey(key as TokenKey);
}

const REGION = /^[a-z]{2,5}(-[a-z]+)+-\d$/;

/**
 * Checks the option `regions`, and those that go with it.
 * @throws {TypeError}
 */
export function checkRegions(
  regions: unknown,
  { secretsManager, secretsManagerIn }: { secretsManager?: unknown; secretsManagerIn?: unknown },
): void {
  if (regions === undefined && secretsManagerIn !== undefined)
    throw new TypeError('secretsManagerIn: found a function; allowed: nothing without regions');
  if (regions === undefined) return;
  const allowed = 'a list of AWS regions, each once';
  if (!Array.isArray(regions) || regions.length === 0 || new Set(regions).size < regions.length)
    throw new TypeError(
      `regions: found ${Array.isArray(regions) ? 'another list' : show(regions)}; allowed: ${allowed}`,
    );
  const wrong: unknown = regions.find((region) => typeof region !== 'string' || !REGION.test(region));
  if (wrong !== undefined) throw new TypeError(invalid('regions', wrong, allowed));
  if (secretsManager !== undefined)
    throw new TypeError('secretsManager: found a client; allowed: secretsManagerIn, together with regions');
}

function invalid(field: string, value: unknown, allowed: string): string {
  return `${field}: found ${show(value)}; allowed: ${allowed}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
}
