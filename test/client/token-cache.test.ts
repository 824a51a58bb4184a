import fc from 'fast-check';

import { after, LONG_AGO, now, systemClock } from '../../client/clock';
import { type CachedToken, TokenCache } from '../../client/token-cache';
import { type TokenKey } from '../../core/tokens/published-keys';

/** Keys whose fields run together if they are joined. */
const field = fc.constantFrom('', 'a', 'b', 'ab', 'a/b', 'a|b', '|', '__proto__', 'constructor');
const keys = fc.record(
  {
    issuer: field,
    environment: field,
    platformRegion: field,
    tenantId: field,
    interface: field,
    scope: field,
  },
  { requiredKeys: ['environment', 'tenantId', 'interface', 'scope'] },
) as unknown as fc.Arbitrary<TokenKey>;
const cached = (key: TokenKey, sha256 = ''): CachedToken => ({
  key,
  token: {} as never,
  sha256,
  versionId: undefined,
  secretArn: undefined,
  isSuperseded: false,
  expiry: after(now(systemClock), 3_600_000),
  quietUntil: LONG_AGO,
  fallbackUntil: LONG_AGO,
});
const text = (key: TokenKey) => JSON.stringify(Object.entries(key).sort());

test('different keys have different entries, and equal keys share one', () => {
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 30 }), fc.array(keys, { maxLength: 30 }), (put, asked) => {
      const cache = new TokenCache();
      const model = new Map<string, string>();
      put.forEach((key, index) => {
        cache.put(cached(key, String(index)));
        model.set(text(key), String(index));
      });
      for (const key of [...put, ...asked]) expect(cache.find({ ...key })?.sha256).toBe(model.get(text(key)));
    }),
  );
});

test('dropping one entry keeps the others', () => {
  const one = { environment: 'staging', platformRegion: 'mea', tenantId: 't', interface: 'content' } as const;
  const [read, write] = [cached({ ...one, scope: 'api/read' }), cached({ ...one, scope: 'api/write' })];
  const cache = new TokenCache();
  cache.put(read);
  cache.put(write);

  cache.drop(read);

  expect([cache.find(read.key), cache.find(write.key)]).toEqual([undefined, write]);
});
