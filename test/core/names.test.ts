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
import {
  type TenantKey,
  type TokenKey,
  tokenTypeName,
  parseTokenTypeName,
} from '../../core/tokens/token-key';

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

  it('of other issuers say the issuer, and the region if there is one', () => {
    const auth0 = { issuer: 'auth0', environment: 'production', tenantId: 'acme' };
    const degreed = { issuer: 'degreed', environment: 'production', platformRegion: 'eu', tenantId: 'acme' };

    expect(credentialSecretName('latchkey', auth0, 'client-credentials')).toBe(
      'latchkey/auth0/production/acme/client-credentials',
    );
    expect(tokenSecretName('latchkey', { ...auth0, interface: 'api', scope: 'read:users write:a/b' })).toBe(
      'latchkey/auth0/production/acme/token/api/read=3Ausers+write=3Aa=2Fb',
    );
    expect(tokenSecretName('latchkey', { ...degreed, interface: 'api', scope: '' })).toBe(
      'latchkey/degreed/production/eu/acme/token/api',
    );
    expect(tokenSecretName('latchkey', { ...degreed, interface: 'api', scope: 'ü-orders' })).toBe(
      'latchkey/degreed/production/eu/acme/token/api/=C3=BC=2Dorders',
    );
  });

  it('tell any scopes apart, in the characters of Secrets Manager', () => {
    const interfaces = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}$/);
    const scopes = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.stringMatching(/^[a-f0-9=+%/:. -]{0,12}$/),
    );
    fc.assert(
      fc.property(interfaces, scopes, (tokenInterface, scope) => {
        const token = { interface: tokenInterface, scope };
        const name = tokenTypeName({ issuer: 'auth0', ...token }, '/');
        expect(parseTokenTypeName(name)).toEqual(token);
        expect(name).toMatch(/^[A-Za-z0-9/_+=.-]+$/);
        expect(name).not.toMatch(/-[A-Za-z0-9]{6}$/);
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
    expect(
      parameterName('latchkey', { issuer: 'auth0', environment: 'production' }, 'token-refresh-arn'),
    ).toBe('/latchkey/auth0/production/token-refresh-arn');
  });
});
