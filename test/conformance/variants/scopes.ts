import { type Variant } from '../variant';

const SCOPE_RULE = {
  file: 'sandbox/content/authentication.ts',
  from: "grant.scope !== 'api/all' && grant.scope !== `api/${access}`",
} as const;
const RESTORE_AUTHENTICATION =
  'restore takes Basic or Bearer, of the tokens those whose scope allows to write';
const WEBHOOKS_RULE = {
  file: 'sandbox/webhooks/webhooks-interface.ts',
  from: "grant?.interface !== 'webhooks' ||",
} as const;

/** The tenant of a request whose scope suits either access. */
const firstSuited = (access: string, other: string) => `(() => {
      try {
        return tenantOf(c, '${access}');
      } catch (error) {
        if ((error as RefusedRequestError).status !== 403) throw error;
        return tenantOf(c, '${other}');
      }
    })();`;

/** Variants that break the checks of scopes. */
export const SCOPE_VARIANTS: readonly Variant[] = [
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-read',
    ...SCOPE_RULE,
    to: `grant.scope !== 'api/read' && ${SCOPE_RULE.from}`,
    alsoFails: [
      RESTORE_AUTHENTICATION,
      'restore refuses with the statuses that are listed under Errors',
      'restore answers 403 to a token that may only read, and restores nothing',
    ],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-read',
    file: 'sandbox/content/content-interface.ts',
    from: "const tenant = tenantOf(c, 'write');",
    to: `const tenant = operation !== 'create' ? tenantOf(c, 'write') : ${firstSuited('write', 'read')}`,
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-write',
    file: 'sandbox/content/content-interface.ts',
    from: "const tenant = tenantOf(c, 'write');",
    to: "const tenant = tenantOf(c, (operation === 'delete' ? 'delete' : 'write') as Access);",
    alsoFails: [
      'POST /contents makes a content, PATCH changes it, and DELETE removes it',
      'PATCH changes what it names, publish publishes, and DELETE removes from the list',
      'the six operations exist also while restore is yet to come',
      'the filter finds a content by its status in the older vocabulary, and by no other',
      'the four writes that exist require authorRef, also beside a collaborationId',
      'the four writes that exist carry the acting user in their bodies, wherever the others do',
      "another tenant's content does not exist, nor does a deleted one",
      'a write that fails because a service failed leaves all unmodified, and succeeds when sent again',
    ],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-all',
    ...SCOPE_RULE,
    to: "(grant.scope !== 'api/all' || access === 'write') && grant.scope !== `api/${access}`",
    alsoFails: [RESTORE_AUTHENTICATION],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-content-api-all',
    ...SCOPE_RULE,
    to: "(grant.scope !== 'api/all' || access === 'read') && grant.scope !== `api/${access}`",
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-5',
    ...SCOPE_RULE,
    to: `grant.scope !== 'api/write' && ${SCOPE_RULE.from}`,
  },
  {
    clause: 'oauth-2-0-client-credentials/rule-5',
    file: 'sandbox/content/content-interface.ts',
    from: "serve('get', (c) => {\n    const tenant = tenantOf(c, 'read');",
    to: `serve('get', (c) => {
    const tenant = ${firstSuited('read', 'write')}`,
  },
  {
    clause: 'oauth-2-0-client-credentials/row-webhooks-api-webhooks',
    ...WEBHOOKS_RULE,
    to: `grant?.scope === 'api/webhooks' || ${WEBHOOKS_RULE.from}`,
    alsoFails: ['a token is valid for 3600 s, and then no longer'],
  },
  {
    clause: 'oauth-2-0-client-credentials/row-webhooks-api-all',
    ...WEBHOOKS_RULE,
    to: `grant?.scope === 'api/all' || ${WEBHOOKS_RULE.from}`,
  },
];
