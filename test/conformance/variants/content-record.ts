import { type Variant } from '../variant';

const RECORD = 'contentRecord(await write(c, operation, read), state.clock.nowMs())';

/** Variants that break the checks of the content record. */
export const CONTENT_RECORD_VARIANTS: readonly Variant[] = [
  {
    clause: 'content-record-as-returned-by-restore/row-id',
    file: 'sandbox/content/content-interface.ts',
    from: RECORD,
    to: `{ ...${RECORD}, ...(operation === 'archive' ? { id: 'content' } : {}) }`,
  },
  {
    clause: 'content-record-as-returned-by-restore/row-status',
    file: 'sandbox/content/content-interface.ts',
    from: RECORD,
    to: `{ ...${RECORD}, ...(operation === 'archive' ? { status: 'published' } : {}) }`,
  },
  {
    clause: 'content-record-as-returned-by-restore/row-items',
    file: 'sandbox/content/content-interface.ts',
    from: RECORD,
    to: `((record) => ({ ...record, items: record.items.filter(({ status }) => operation === 'archive' || status !== 'error') }))(${RECORD})`,
  },
  {
    clause: 'content-record-as-returned-by-restore/paragraph-1',
    file: 'sandbox/content/content-interface.ts',
    from: 'c.json(catalogueView(addressedContent(tenant, c)))',
    to: 'c.json(contentRecord(addressedContent(tenant, c), 0))',
    alsoFails: ['restore and archive answer another shape than the catalogue, listed or read one by one'],
  },
  {
    clause: 'content-record-as-returned-by-restore/paragraph-1',
    file: 'sandbox/content/content-interface.ts',
    from: `c.json(catalogueView(await write(c, 'publish', readAuthor)))`,
    to: `c.json(contentRecord(await write(c, 'publish', readAuthor), state.clock.nowMs()))`,
  },
];
