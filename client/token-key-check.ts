import {
  ENVIRONMENTS,
  INTERFACES,
  isTokenType,
  PLATFORM_REGIONS,
  SCOPES,
  TENANT_ID,
} from '../contract/platform';
import { type TokenKey } from '../contract/token-key';
import { invalid } from './argument-check';

/**
 * The five fields of a key, and no others.
 * @throws {TypeError} naming the field, the value found and the values allowed
 */
export function checkTokenKey(key: TokenKey): TokenKey {
  const found: Partial<Record<keyof TokenKey, unknown>> = key ?? {};
  const environment = oneOf('environment', found.environment, ENVIRONMENTS);
  const platformRegion = oneOf('platformRegion', found.platformRegion, PLATFORM_REGIONS);
  const { tenantId, scope } = found;
  if (typeof tenantId !== 'string' || !TENANT_ID.test(tenantId)) {
    throw new TypeError(
      invalid('tenantId', tenantId, '1 to 128 letters, digits, _ and -, beginning with a letter or digit'),
    );
  }
  const platformInterface = oneOf('interface', found.interface, INTERFACES);
  const tokenType = { interface: platformInterface as string, scope: typeof scope === 'string' ? scope : '' };
  if (!isTokenType(tokenType)) {
    throw new TypeError(invalid('scope', scope, SCOPES[platformInterface].join(', ')));
  }
  return { environment, platformRegion, tenantId, ...tokenType };
}

function oneOf<T>(field: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new TypeError(invalid(field, value, allowed.join(', ')));
  return found;
}
