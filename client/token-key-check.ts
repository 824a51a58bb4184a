import { ENVIRONMENTS, narrowTokenType, PLATFORM_REGIONS, TENANT_ID } from '../contract/platform';
import { type TokenKey, tokenKeyOf } from '../contract/token-key';
import { invalid } from './argument-check';

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
