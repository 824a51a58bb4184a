import { type Variant } from '../variant';

const RECORD = 'return { id, type, rank, summary, status,';

/** Variants that break the checks of items. */
export const ITEM_VARIANTS: readonly Variant[] = [
  {
    clause: 'item/row-id',
    file: 'sandbox/content/views.ts',
    from: RECORD,
    to: `return { id: 'item', type, rank, summary, status,`,
  },
  {
    clause: 'item/row-type',
    file: 'sandbox/content/views.ts',
    from: RECORD,
    to: 'return { id, type: { name: type }, rank, summary, status,',
  },
  {
    clause: 'item/row-type',
    file: 'sandbox/content/write.ts',
    from: 'id: newId(), type, rank,',
    to: `id: newId(), type: 'article', rank,`,
  },
  {
    clause: 'item/row-rank',
    file: 'sandbox/content/views.ts',
    from: 'a.rank - b.rank',
    to: 'b.rank - a.rank',
  },
  {
    clause: 'item/row-rank',
    file: 'sandbox/content/write.ts',
    from: 'newItem(item, rank, schedule)',
    to: 'newItem(item, 100 - rank, schedule)',
  },
  {
    clause: 'item/row-summary',
    file: 'sandbox/content/views.ts',
    from: RECORD,
    to: `return { id, type, rank, summary: summary.startsWith('Part') ? '' : summary, status,`,
  },
  {
    clause: 'item/row-status',
    file: 'sandbox/content/views.ts',
    from: RECORD,
    to: `return { id, type, rank, summary, status: summary.startsWith('Part') ? null : status,`,
  },
  {
    clause: 'item/row-status',
    file: 'sandbox/content/processing.ts',
    from: 'const startsAtMs = nowMs + this.#timing.startsAfterSec * 1000;',
    to: 'const startsAtMs = nowMs - this.#timing.takesSec * 1000;',
    alsoFails: ['a content is first a draft, then ready, published and archived'],
  },
  {
    clause: 'item/row-failure-reason',
    file: 'sandbox/content/views.ts',
    from: `...(status === 'error' && { failureReason })`,
    to: '',
  },
  {
    clause: 'item/row-failure-reason',
    file: 'sandbox/content/views.ts',
    from: `...(status === 'error' && { failureReason })`,
    to: `failureReason: failureReason ?? ''`,
  },
];
