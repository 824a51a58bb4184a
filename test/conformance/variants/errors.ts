import { type Variant } from '../variant';

const TENANT = `const tenant = tenantOf(c, 'write');`;
/** Of restore alone, another status for a failed authentication. */
const answering = (status: number, instead: number) => `
  let tenant: Tenant;
  try {
    tenant = tenantOf(c, 'write');
  } catch (error) {
    const isMeant = operation === 'restore' && error instanceof RefusedRequestError && error.status === ${status};
    throw isMeant ? new RefusedRequestError(${instead}, 'not permitted') : error;
  }`;
const ALL_STATUSES = 'restore refuses with the statuses that are listed under Errors';

/** Variants that break the checks of errors. */
export const ERROR_VARIANTS: readonly Variant[] = [
  {
    clause: 'errors/row-401',
    file: 'sandbox/content/content-interface.ts',
    from: TENANT,
    to: answering(401, 403),
    alsoFails: [ALL_STATUSES],
  },
  {
    clause: 'errors/row-403',
    file: 'sandbox/content/content-interface.ts',
    from: TENANT,
    to: answering(403, 401),
    alsoFails: [ALL_STATUSES],
  },
  {
    clause: 'errors/row-404',
    file: 'sandbox/content/content-interface.ts',
    from: `if (!content) throw new RefusedRequestError(404,`,
    to: `if (!content) throw new RefusedRequestError(c.req.path.endsWith('/restore') ? 409 : 404,`,
    alsoFails: [ALL_STATUSES],
  },
  {
    clause: 'errors/row-404',
    file: 'sandbox/content/content-interface.ts',
    from: `tenant.contents.find(c.req.param('id') ?? '')`,
    to: `tenant.contents[c.req.path.endsWith('/restore') ? 'findStored' : 'find'](c.req.param('id') ?? '')`,
  },
  {
    clause: 'errors/row-409',
    file: 'sandbox/content/lifecycle.ts',
    from: '    409,\n',
    to: '    422,\n',
    alsoFails: [
      ALL_STATUSES,
      'a content that was restored cannot be restored again',
      'restore answers 409 in every state but archived, and restores nothing',
    ],
  },
  {
    clause: 'errors/row-415',
    file: 'sandbox/content/content-interface.ts',
    from: 'throw new RefusedRequestError(415,',
    to: 'throw new RefusedRequestError(400,',
    alsoFails: [ALL_STATUSES],
  },
  {
    clause: 'errors/row-422',
    file: 'sandbox/content/acting-user.ts',
    from: 'throw new RefusedRequestError(422,',
    to: 'throw new RefusedRequestError(403,',
  },
  {
    clause: 'errors/row-502',
    file: 'sandbox/interception.ts',
    from: 'throw new RefusedRequestError(502,',
    to: 'throw new RefusedRequestError(503,',
  },
  {
    clause: 'errors/row-default',
    file: 'sandbox/interception.ts',
    from: 'return new Response(text, { status, headers: sent });',
    to: 'return new Response(text, { status: 502, headers: sent });',
  },
  {
    clause: 'errors/rule-1',
    file: 'sandbox/content/write.ts',
    from: `  reach('audit');\n`,
    to: `  tenant.contents.put({ ...before, updatedAt: at });\n  reach('audit');\n`,
  },
  {
    clause: 'errors/rule-2',
    file: 'sandbox/content/write.ts',
    from: '  requireOwnReferences(actingUser, tenant);\n',
    to: `
      try {
        requireOwnReferences(actingUser, tenant);
      } catch (error) {
        tenant.contents.put({ ...before, updatedAt: at });
        throw error;
      }`,
    alsoFails: ['a reference of another organisation is refused by every write, and nothing is written'],
  },
];
