import { type Variant } from '../variant';

/** Variants that break the checks of the webhooks interface. */
export const WEBHOOKS_VARIANTS: readonly Variant[] = [
  {
    clause: 'what-the-service-does/bullet-2',
    file: 'sandbox/content/authentication.ts',
    from: "grant?.interface === 'content' ?",
    to: 'grant ?',
  },
  {
    clause: 'what-the-service-does/bullet-2',
    file: 'sandbox/addresses.ts',
    from: '`${prefix}/webhooks/v1`',
    to: '`${prefix}/rest/v1`',
    alsoFails: ['besides the six operations that exist today there is none, while restore is yet to come'],
  },
  {
    clause: 'events/paragraph-1',
    file: 'sandbox/webhooks/webhooks-interface.ts',
    from: "grant?.interface !== 'webhooks' ||",
    to: 'grant === undefined ||',
  },
  {
    clause: 'events/paragraph-1',
    file: 'sandbox/webhooks/webhooks-interface.ts',
    from: "if (grant?.interface !== 'webhooks'",
    to: "if ((token !== undefined && grant?.interface !== 'webhooks')",
  },
  {
    clause: 'events/paragraph-1',
    file: 'sandbox/webhooks/webhooks-interface.ts',
    from: "if (grant?.interface !== 'webhooks'",
    to: "if (/^basic /i.test(c.req.header('authorization') ?? '')) return next();\n    if (grant?.interface !== 'webhooks'",
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-2',
    file: 'sandbox/content/authentication.ts',
    from: 'const credential = readCredential(authorization);\n  if (!credential) throw',
    to: "const credential = readCredential(authorization);\n  if (authorization === undefined && access === 'read') return state.tenants.all()[0]!;\n  if (!credential) throw",
  },
];
