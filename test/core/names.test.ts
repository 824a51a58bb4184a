import fc from 'fast-check';

import { parameterName } from '../../core/deployment/parameter-names';
import {
  ENVIRONMENTS,
  type TokenType,
  PLATFORM_REGIONS,
  SCOPES,
  TENANT_ID,
} from '../../core/deployment/platform';
import { CREDENTIAL_KINDS, credentialSecretName, tokenSecretName } from '../../core/secrets/secret-names';
import { type TenantKey, type TokenKey } from '../../core/tokens/token-key';

const TENANT: TenantKey = { environment: 'staging', platformRegion: 'mea', tenantId: 'eu-west-2_AbcdEfghI' };

const pair = fc.constantFrom<TokenType>(
  ...SCOPES.content.map((scope) => ({ interface: 'content', scope }) as const),
  ...SCOPES.webhooks.map((scope) => ({ interface: 'webhooks', scope }) as const),
);
const tenantKey = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  platformRegion: fc.constantFrom(...PLATFORM_REGIONS),
  // Includes ids that look like other parts of a name.
  tenantId: fc.oneof(
    fc.stringMatching(TENANT_ID),
    fc.constantFrom('token', 'api-key', 'client-credentials', 'content', 'mea', 'staging', 'a', 'a-token'),
  ),
});
const tokenKey = fc
  .tuple(tenantKey, pair)
  .map(([tenant, tokenType]): TokenKey => ({ ...tenant, ...tokenType }));

describe('names of secrets', () => {
  it('are those of the contract, which other repositories rely on', () => {
    expect(credentialSecretName('latchkey', TENANT, 'client-credentials')).toBe(
      'latchkey/staging/mea/eu-west-2_AbcdEfghI/client-credentials',
    );
    expect(credentialSecretName('acme', TENANT, 'api-key')).toBe(
      'acme/staging/mea/eu-west-2_AbcdEfghI/api-key',
    );
    expect(tokenSecretName('latchkey', { ...TENANT, interface: 'webhooks', scope: 'api/webhooks' })).toBe(
      'latchkey/staging/mea/eu-west-2_AbcdEfghI/token/webhooks/api-webhooks',
    );
  });

  it('differ for different token keys', () => {
    fc.assert(
      fc.property(tokenKey, tokenKey, (one, other) => {
        const isSame = (Object.keys(one) as (keyof TokenKey)[]).every((part) => one[part] === other[part]);
        expect(tokenSecretName('latchkey', one) === tokenSecretName('latchkey', other)).toBe(isSame);
      }),
      { numRuns: 2000 },
    );
  });

  it('of credentials and tokens never collide', () => {
    fc.assert(
      fc.property(tenantKey, fc.constantFrom(...CREDENTIAL_KINDS), tokenKey, (tenant, kind, token) => {
        expect(credentialSecretName('latchkey', tenant, kind)).not.toBe(tokenSecretName('latchkey', token));
      }),
    );
  });

  // CreateSecret, Name: letters, digits and /_+=.@-, at most 512; a hyphen and six characters at the end would
  // look like the suffix of an ARN.
  it('are valid in Secrets Manager, however long prefix and tenant id are', () => {
    const longest = {
      ...TENANT,
      environment: 'production',
      platformRegion: 'global',
      tenantId: 'a'.repeat(128),
    } as const;
    const prefix = 'p'.repeat(32);

    for (const kind of CREDENTIAL_KINDS) {
      expect(credentialSecretName(prefix, longest, kind)).toMatch(/^[A-Za-z0-9/_-]{1,512}$/);
    }
    fc.assert(
      fc.property(pair, (tokenType) => {
        const name = tokenSecretName(prefix, { ...longest, ...tokenType });
        expect(name).toMatch(/^[A-Za-z0-9/_-]{1,512}$/);
        expect(name).not.toMatch(/-[A-Za-z0-9]{6}$/);
      }),
    );
  });
});

describe('names of SSM parameters', () => {
  it('are those of the contract', () => {
    expect(parameterName('latchkey', TENANT, 'token-refresh-arn')).toBe(
      '/latchkey/staging/mea/token-refresh-arn',
    );
  });
});
