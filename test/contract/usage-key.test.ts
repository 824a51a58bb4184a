import { createHash } from 'node:crypto';

import { type TenantKey } from '../../contract/token-key';
import { usageKey } from '../../contract/usage-key';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const TENANT: TenantKey = { environment: 'staging', platformRegion: 'mea', tenantId: 'a' };
const keyOf = (prefix: string, tenant: Partial<TenantKey> = {}) =>
  usageKey(prefix, { ...TENANT, ...tenant }, sha256Hex);

describe('the usage key of a tenant', () => {
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-api-usage-plans.html
  it('is what API Gateway takes as the value of a key: alphanumeric, of 20 to 128 characters', () => {
    expect(keyOf('latchkey', { tenantId: 'x'.repeat(128) })).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is another one for every prefix, environment, platform region and tenant', () => {
    const keys = [
      keyOf('latchkey'),
      keyOf('latchkey-two'),
      keyOf('latchkey', { environment: 'production' }),
      keyOf('latchkey', { platformRegion: 'global' }),
      keyOf('latchkey', { tenantId: 'b' }),
    ];

    expect(new Set(keys).size).toBe(keys.length);
  });

  it('depends on where one part ends and the next begins', () => {
    const hashed: string[] = [];
    const note = (text: string) => String(hashed.push(text));

    usageKey('a","staging', TENANT, note);
    usageKey('a', { ...TENANT, tenantId: 'staging","a' }, note);

    expect(hashed.map((text) => (JSON.parse(text) as string[]).length)).toEqual([5, 5]);
  });
});
