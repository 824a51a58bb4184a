import fc from 'fast-check';

import { parameterName } from '../../core/deployment/parameter-names';
import { ENVIRONMENTS, PLATFORM_REGIONS, SCOPES, TENANT_ID } from '../../core/deployment/platform';
import { SCHEDULED_FUNCTIONS, scheduleName } from '../../core/deployment/schedules';
import { deploymentStackName, tenantStackName } from '../../core/deployment/stack-names';
import { usageKey } from '../../core/deployment/usage-key';
import {
  CREDENTIAL_KINDS,
  type CredentialKind,
  credentialSecretName,
  tokenSecretName,
} from '../../core/secrets/secret-names';
import {
  type DeploymentKey,
  type TenantKey,
  type TokenKey,
  tokenTypeName,
  parseTokenTypeName,
} from '../../core/tokens/token-key';

const STAGING_MEA = { environment: 'staging', platformRegion: 'mea' } as const;
const ACME = { ...STAGING_MEA, tenantId: 'acme' };
const AUTH0 = { issuer: 'auth0', environment: 'production', tenantId: 'acme' };
const DEGREED = { issuer: 'degreed', environment: 'production', platformRegion: 'eu', tenantId: 'acme' };

const pair = fc.constantFrom(
  ...(['content', 'webhooks'] as const).flatMap((name) =>
    SCOPES[name].map((scope) => ({ interface: name, scope: scope })),
  ),
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

const secretOf = (tenant: TenantKey, kind: CredentialKind) => () =>
  credentialSecretName('latchkey', tenant, kind);
const tokenOf = (tenant: TenantKey, name: string, scope: string) => () =>
  tokenSecretName('latchkey', { ...tenant, interface: name, scope });
const parameterOf = (key: DeploymentKey) => () => parameterName('latchkey', key, 'token-refresh-arn');
const stackOf = (tenantId: string) => () => tenantStackName('latchkey', STAGING_MEA, tenantId);

// Other repositories rely on these names.
test.each<[string, () => string]>([
  ['latchkey/staging/mea/acme/client-credentials', secretOf(ACME, 'client-credentials')],
  ['latchkey/staging/mea/acme/token/webhooks/api-webhooks', tokenOf(ACME, 'webhooks', 'api/webhooks')],
  // Names of other issuers say the issuer, and the region if there is one.
  ['latchkey/auth0/production/acme/api-key', secretOf(AUTH0, 'api-key')],
  [
    'latchkey/auth0/production/acme/token/api/read=3Ausers+write=3Aa=2Fb',
    tokenOf(AUTH0, 'api', 'read:users write:a/b'),
  ],
  ['latchkey/degreed/production/eu/acme/token/api', tokenOf(DEGREED, 'api', '')],
  ['latchkey/degreed/production/eu/acme/token/api/=C3=BC=2Dorders', tokenOf(DEGREED, 'api', 'ü-orders')],
  ['/latchkey/staging/mea/token-refresh-arn', parameterOf(STAGING_MEA)],
  ['/latchkey/auth0/production/token-refresh-arn', parameterOf(AUTH0)],
  ['latchkey-staging-mea-token-sweep', () => scheduleName('latchkey', STAGING_MEA, 'token-sweep')],
  ['latchkey-staging-mea', () => deploymentStackName('latchkey', STAGING_MEA)],
  ['latchkey-staging-mea-tenant-a', stackOf('tenant-a')],
  // With another digest, the stack of a tenant would be created twice.
  ['latchkey-staging-mea-eu-west-2-AbcdEfghI-537a7cf0', stackOf('eu-west-2_AbcdEfghI')],
])('%s is a name of the contract', (contract, nameOf) => {
  expect(nameOf()).toBe(contract);
});

describe('names of secrets', () => {
  it('differ for different token keys', () => {
    fc.assert(
      fc.property(tokenKey, tokenKey, (one, other) => {
        const isSame = (Object.keys(one) as (keyof TokenKey)[]).every((part) => one[part] === other[part]);
        expect(tokenSecretName('latchkey', one) === tokenSecretName('latchkey', other)).toBe(isSame);
      }),
      { numRuns: 2000 },
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

  // CreateSecret, Name: letters, digits and /_+=.@-, at most 512; a hyphen and six characters at the end would
  // look like the suffix of an ARN.
  it('are valid in Secrets Manager, however long prefix and tenant id are', () => {
    const longest = { environment: 'production', platformRegion: 'global', tenantId: 'a'.repeat(128) };
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

// EventBridge Scheduler API Reference, CreateSchedule: Name, 1–64 characters of [0-9a-zA-Z-_.].
test.each(SCHEDULED_FUNCTIONS)(
  'the name of a schedule of %s is valid in EventBridge Scheduler with the longest prefix',
  (scheduled) => {
    const longest = { environment: 'production', platformRegion: 'global' };

    expect(scheduleName('p'.repeat(29), longest, scheduled)).toMatch(/^[0-9a-zA-Z-_.]{1,64}$/);
  },
);

const tenantId = fc.oneof(
  fc.stringMatching(TENANT_ID),
  // Near collisions: ids that differ only in separators, or only past the maximum length of a name.
  fc.stringMatching(/^a[_-]b[_-]c$/),
  fc.stringMatching(/^[ab]$/).map((end) => `${'x'.repeat(127)}${end}`),
);
const prefix = fc.constantFrom('a', 'latchkey', 'p'.repeat(32));

it('names of stacks are legal in CloudFormation, and differ whenever tenant ids differ', () => {
  fc.assert(
    fc.property(prefix, tenantId, tenantId, (name, one, other) => {
      const [first, second] = [one, other].map((id) => tenantStackName(name, STAGING_MEA, id));
      expect(first).toMatch(/^[A-Za-z][A-Za-z0-9-]{0,127}$/);
      expect(first === second).toBe(one === other);
    }),
    { numRuns: 1000 },
  );
});

const keyOf = (prefix: string, change: Partial<TenantKey> = {}) => usageKey(prefix, { ...ACME, ...change });

it('the usage key of a tenant differs by each part, and by where one part ends and the next begins', () => {
  const keys = [
    keyOf('latchkey'),
    keyOf('latchkey-two'),
    keyOf('latchkey', { environment: 'production' }),
    keyOf('latchkey', { platformRegion: 'global' }),
    keyOf('latchkey', { tenantId: 'b' }),
    keyOf('latchkey', { issuer: 'auth0' }),
    keyOf('a","staging'),
    keyOf('a', { tenantId: 'staging","a' }),
    keyOf('a-b'),
    keyOf('a', { issuer: 'b' }),
    keyOf('ab', { tenantId: 'c' }),
    keyOf('a', { tenantId: 'bc' }),
  ];

  expect(new Set(keys).size).toBe(keys.length);
  // API Gateway: 20 to 128 alphanumeric characters
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{64}$/);
});
