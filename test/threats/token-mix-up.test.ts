import * as fc from 'fast-check';

import { createTokenSource } from '../../client';
import { tokenSecretName } from '../../core/secrets/secret-names';
import { type TokenKey } from '../../core/tokens/public-keys';
import { tokenKeyText } from '../../core/tokens/token-key';
import { serializeStoredToken } from '../../core/tokens/stored-token';
import { refreshToken } from '../../lambdas/token-refresh/refresh-token';
import { FakeAws, KEY as CLIENT_KEY, MINUTE_MS } from '../client/support/fake-aws';
import { TokenFunctions, tokenSecretOf, versionIdOf } from '../lambdas/token-refresh/support/token-functions';
import { KEY } from '../support/lambdas/token-functions';

/** Ids that contain each other, or parts of secret names. */
const tenantId = fc.constantFrom('a', 'a-b', 'a_b', 'token', 'content', 'api-read', 'global', 'A', 'a.b');
const tokenType = fc.constantFrom(
  ...(['api/read', 'api/write', 'api/all'] as const).map(
    (scope) => ({ interface: 'content', scope }) as const,
  ),
  ...(['api/webhooks', 'api/all'] as const).map((scope) => ({ interface: 'webhooks', scope }) as const),
);
const anyKey = fc
  .record({
    environment: fc.constantFrom('staging', 'production'),
    platformRegion: fc.constantFrom('global', 'mea'),
    tenantId,
    tokenType,
  })
  .map(({ tokenType: type, ...tenant }) => ({ ...tenant, ...type }));

/** Changes one field of a key, which makes it another's. */
const OTHERS: [string, Partial<TokenKey>][] = [
  ['environment', { environment: 'production' }],
  ['platform region', { platformRegion: 'global' }],
  ['tenant', { tenantId: 'eu-west-2_Other' }],
  ['interface', { interface: 'webhooks' }],
  ['scope', { scope: 'api/all' }],
];
const otherThan = (key: TokenKey, change: Partial<TokenKey>) => ({ ...key, ...change }) as TokenKey;

describe('T10: different token keys', () => {
  function expectDistinct(textOf: (key: TokenKey) => string) {
    fc.assert(
      fc.property(anyKey, anyKey, (one, other) => {
        expect(textOf(one) === textOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
      { numRuns: 5_000 },
    );
  }

  test.each<[string, (key: TokenKey) => string]>([
    ['secret', (key) => tokenSecretName('latchkey', key)],
    ['place in memory', tokenKeyText],
  ])('never share a %s', (_, textOf) => expectDistinct(textOf));
});

describe('T10: a token in the secret of another key', () => {
  async function expectNotServed(change: Partial<TokenKey>) {
    const aws = new FakeAws();
    const foreign = aws.store(60 * MINUTE_MS, { key: otherThan(CLIENT_KEY, change), in: CLIENT_KEY });

    const { accessToken } = await createTokenSource(aws.options()).getToken(CLIENT_KEY);

    expect(accessToken).not.toBe(foreign);
    expect(aws.invocations).toHaveLength(1);
  }

  async function expectReplaced(change: Partial<TokenKey>) {
    const functions = new TokenFunctions();
    const foreign = functions.store({ accessToken: 'foreign' });
    functions.secrets.put(
      tokenSecretOf(KEY),
      serializeStoredToken(foreign, otherThan(KEY, change)),
      versionIdOf('foreign'),
    );

    const deadlineMs = functions.clock.monotonicMs() + 10_000;
    await refreshToken(functions, KEY, { minValidityMs: 60_000, deadlineMs });

    expect(functions.issuer.requests).toHaveLength(1);
    expect(functions.current()?.accessToken).toBe('token-1');
  }

  test.each(OTHERS)('is not served to a service: %s', (_, change) => expectNotServed(change));

  test.each(OTHERS)('is replaced by token-refresh: %s', (_, change) => expectReplaced(change));
});
