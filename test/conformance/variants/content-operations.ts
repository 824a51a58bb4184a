import { type Variant } from '../variant';

/** Variants that break the checks of the operations that exist. */
export const CONTENT_OPERATION_VARIANTS: readonly Variant[] = [
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    file: 'sandbox/content/content-interface.ts',
    from: 'return c.json(contents.map(catalogueView));',
    to: `return c.json([{ id: 'nothing' }, ...contents.map(catalogueView)]);`,
    alsoFails: ['a token with api/read lists contents and reads one', 'a token with api/all reads'],
  },
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    file: 'sandbox/content/lifecycle.ts',
    from: 'to: { deleted: true }',
    to: 'to: {}',
    alsoFails: [
      'the filter finds a content by its status in the older vocabulary, and by no other',
      `another tenant's content does not exist, nor does a deleted one`,
    ],
  },
  {
    clause: 'other-content-operations-that-exist/paragraph-1',
    file: 'sandbox/content/write.ts',
    from: '    ...fields,\n',
    to: '',
  },
  {
    clause: 'what-the-service-does/bullet-6',
    file: 'sandbox/content/content-interface.ts',
    from: 'app.on(route.method,',
    to: `app.on([route.method, 'PUT'],`,
  },
  {
    clause: 'what-the-service-does/bullet-6',
    file: 'sandbox/content/content-interface.ts',
    from: `serve('publish', async (c) => c.json(`,
    to: `serve('publish', async (c) => !state.restore.values.available ? c.notFound() : c.json(`,
  },
];
