import { type Variant } from '../variant';

const RESTORE_AUTHENTICATION =
  'restore takes Basic or Bearer, of the tokens those whose scope allows to write';

/** Variants that break the checks of Basic authentication, and of tenants. */
export const BASIC_AUTHENTICATION_VARIANTS: readonly Variant[] = [
  {
    clause: 'authentication/paragraph-1',
    file: 'sandbox/content/authentication.ts',
    from: "scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', token: value };",
    to: "scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', token: value };\n  if (/^token /i.test(authorization)) return { scheme: 'bearer', token: authorization.slice(6) };",
  },
  {
    clause: 'authentication/paragraph-1',
    file: 'sandbox/content/authentication.ts',
    from: "return credential.scheme === 'basic'\n",
    to: "if (credential.scheme === 'basic' && access === 'write') throw unauthorized(BEARER);\n  return credential.scheme === 'basic'\n",
    alsoFails: [RESTORE_AUTHENTICATION],
  },
  {
    clause: 'what-the-service-does/bullet-3',
    file: 'sandbox/content/authentication.ts',
    from: "return credential.scheme === 'basic'\n",
    to: "if (credential.scheme === 'basic') throw unauthorized(BEARER);\n  return credential.scheme === 'basic'\n",
    alsoFails: [
      'Basic authentication permits writes',
      'a client that used Basic sees the same contents with a Bearer token',
      'a key is valid until validUntil, and then no longer',
      'a generated key is accepted as the password of Basic authentication',
      RESTORE_AUTHENTICATION,
    ],
  },
  {
    clause: 'http-basic-authentication/bullet-1',
    file: 'sandbox/content/authentication.ts',
    from: 'const tenant = state.tenants.find(cell, tenantId);',
    to: 'const tenant = state.tenants.find(cell, tenantId) ?? state.tenants.all().find((other) => state.apiKeys.isValid(apiKey, other, state.clock.nowMs()));',
    alsoFails: ['the tenant identifier of one environment is none of the other'],
  },
  {
    clause: 'http-basic-authentication/bullet-1',
    file: 'sandbox/content/authentication.ts',
    from: '!state.apiKeys.isValid(',
    to: "apiKey !== '' && !state.apiKeys.isValid(",
  },
  {
    clause: 'http-basic-authentication/bullet-2',
    file: 'sandbox/content/authentication.ts',
    from: 'const tenant = state.tenants.find(cell, tenantId);',
    to: 'const tenant = state.tenants.all().find((other) => other.tenantId === tenantId);',
  },
  {
    clause: 'http-basic-authentication/bullet-3',
    file: 'sandbox/content/content-interface.ts',
    from: 'c.json(contents.map(catalogueView))',
    to: "c.json(!c.req.query('statuses') && c.req.header('authorization')?.startsWith('Bearer') ? contents.slice(1).map(catalogueView) : contents.map(catalogueView))",
  },
  {
    clause: 'what-the-service-does/bullet-1',
    file: 'sandbox/content/api-keys.ts',
    from: 'key?.tenant === tenant &&',
    to: 'key !== undefined &&',
  },
  {
    clause: 'what-the-service-does/bullet-1',
    file: 'sandbox/content/content-interface.ts',
    from: 'c.json(catalogueView(addressedContent(tenant, c)))',
    to: "c.json(catalogueView(state.tenants.all().map(({ contents }) => contents.find(c.req.param('id') ?? '')).find(Boolean) ?? addressedContent(tenant, c)))",
  },
];
