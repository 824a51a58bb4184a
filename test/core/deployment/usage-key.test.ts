import { type TenantKey } from '../../../core/tokens/token-key';
import { usageKey } from '../../../core/deployment/usage-key';

const TENANT: TenantKey = { environment: 'staging', platformRegion: 'mea', tenantId: 'a' };
const keyOf = (prefix: string, tenant: Partial<TenantKey> = {}) => usageKey(prefix, { ...TENANT, ...tenant });

describe('the usage key of a tenant', () => {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
  it('is valid as an API key in API Gateway: 20 to 128 alphanumeric characters', () => {
    expect(keyOf('latchkey', { tenantId: 'x'.repeat(128) })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('differs by prefix, issuer, environment, platform region and tenant', () => {
    const keys = [
      keyOf('latchkey'),
      keyOf('latchkey-two'),
      keyOf('latchkey', { environment: 'production' }),
      keyOf('latchkey', { platformRegion: 'global' }),
      keyOf('latchkey', { tenantId: 'b' }),
      keyOf('latchkey', { issuer: 'auth0' }),
    ];

    expect(new Set(keys).size).toBe(keys.length);
  });

  it('depends on where one part ends and the next begins', () => {
    expect(keyOf('a","staging')).not.toBe(keyOf('a', { tenantId: 'staging","a' }));
    expect(keyOf('ab', { tenantId: 'c' })).not.toBe(keyOf('a', { tenantId: 'bc' }));
  });
});
