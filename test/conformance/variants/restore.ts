import { type Variant } from '../variant';

const NEED_JSON = `if (!isJsonMediaType(c.req.header('content-type')))`;

/** Variants that break the checks of restore. */
export const RESTORE_VARIANTS: readonly Variant[] = [
  {
    clause: 'restore-archived-content/bullet-1',
    file: 'sandbox/content/content-interface.ts',
    from: 'return c.json(contents.map(catalogueView));',
    to: `const restored = state.audit.all().filter(({ operation }) => operation === 'restore');
      return c.json(contents.filter(({ id }) => !restored.some(({ contentId }) => contentId === id)).map(catalogueView));`,
  },
  {
    clause: 'restore-archived-content/bullet-2',
    file: 'sandbox/content/write.ts',
    from: 'tenant.contents.put(after);',
    to: `tenant.contents.put(after);
      for (const other of operation === 'restore' ? tenant.contents.existing() : []) {
        if (other.status === 'archived') tenant.contents.put({ ...other, status: 'published' });
      }`,
  },
  {
    clause: 'restore-archived-content/bullet-3',
    file: 'sandbox/content/request-body.ts',
    from: `throw new RefusedRequestError(400, 'the body is not well-formed JSON');`,
    to: `throw new Error('the body is not well-formed JSON');`,
  },
  {
    clause: 'restore-archived-content/bullet-4',
    file: 'sandbox/content/content-interface.ts',
    from: 'c.json(contentRecord(await write(c, operation, read), state.clock.nowMs()))',
    to: `c.json({ ...contentRecord(await write(c, operation, read), state.clock.nowMs()), ...(operation === 'restore' && { status: 'restored' }) })`,
    alsoFails: [
      'the record has the lifecycle status: published after restore, archived after archive',
      'an archived content that is restored is published, and the answer is its record with its items',
    ],
  },
  {
    clause: 'restore-archived-content/bullet-5',
    file: 'sandbox/content/content-interface.ts',
    from: `const tenant = tenantOf(c, 'write');`,
    to: `const tenant = tenantOf(c, 'write');
      if (operation === 'restore' && c.req.header('authorization')?.startsWith('Basic')) {
        throw new RefusedRequestError(403, 'no Basic authentication here');
      }`,
  },
  {
    clause: 'restore-archived-content/bullet-6',
    file: 'sandbox/content/request-body.ts',
    from: 'throw new RefusedRequestError(422,',
    to: 'throw new RefusedRequestError(400,',
    alsoFails: ['restore answers 422 for an acting user that is missing, of a wrong type, or unknown'],
  },
  {
    clause: 'limits/row-acting-user',
    file: 'sandbox/content/acting-user.ts',
    from: '=> authorRef ?? collaborationId,',
    to: '=> true,',
    alsoFails: [
      'moved to headers, the same identifiers mean the same, and the body says nothing any more',
      'restore refuses with the statuses that are listed under Errors',
      'restore answers 422 for an acting user that is missing, of a wrong type, or unknown',
    ],
  },
  {
    clause: 'limits/row-request-content-type',
    file: 'sandbox/content/content-interface.ts',
    from: NEED_JSON,
    to: `if (c.req.header('content-type') !== 'application/xml' && !isJsonMediaType(c.req.header('content-type')))`,
  },
];
