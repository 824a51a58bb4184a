import { type Variant } from '../variant';

const STORED = 'return { id, status, title,';
const MOVED = 'return { ...content, ...TRANSITIONS[operation].to };';
/** Remembers the state before archive, and goes back to it where the rest of the condition holds. */
const rewinding = (condition: string) => `
  const { before } = content as { before?: Content['status'] };
  const isProcessed = lifecycleStatus({ ...content, status: 'draft' }, Date.now()) === 'ready';
  return {
    ...content,
    ...TRANSITIONS[operation].to,
    ...(operation === 'archive' ? { before: content.status } : {}),
    ...(operation === 'restore' && before === 'draft' && ${condition} ? { status: before } : {}),
  };`;

/** Variants that break the checks of statuses and transitions. */
export const LIFECYCLE_VARIANTS: readonly Variant[] = [
  {
    clause: 'status-vocabularies/bullet-1',
    file: 'sandbox/content/views.ts',
    from: STORED,
    to: `return { id, status: status === 'draft' ? 'new' : status, title,`,
  },
  {
    clause: 'states-and-transitions/paragraph-1',
    file: 'sandbox/content/views.ts',
    from: STORED,
    to: `return { id, status: status === 'archived' ? 'shelved' : status, title,`,
  },
  {
    clause: 'status-vocabularies/bullet-2',
    file: 'sandbox/content/views.ts',
    from: `draft: 'created',`,
    to: `draft: 'published',`,
  },
  {
    clause: 'status-vocabularies/bullet-2',
    file: 'sandbox/content/content-interface.ts',
    from: 'values?.flatMap(',
    to: `values?.map((value) => value.replace('deleted', 'removed')).flatMap(`,
  },
  {
    clause: 'status-vocabularies/bullet-3',
    file: 'sandbox/content/views.ts',
    from: 'const status = itemStatus(schedule, nowMs);',
    to: `const processed = itemStatus(schedule, nowMs);
      const status = processed === 'ok' && summary === 'To be processed' ? 'done' : processed;`,
  },
  {
    clause: 'states-and-transitions/row-archived',
    file: 'sandbox/content/content-interface.ts',
    from: 'c.json(contentRecord(await write(c, operation, read), state.clock.nowMs()))',
    to: `c.json(((record) => ({ ...record, items: record.items.slice(0, operation === 'restore' ? -1 : undefined) }))(
      contentRecord(await write(c, operation, read), state.clock.nowMs())))`,
    alsoFails: ['the record has an array of the items, each with its processing state'],
  },
  {
    clause: 'states-and-transitions/row-any-state-other-than-archived',
    file: 'sandbox/content/lifecycle.ts',
    from: `restore: { from: ['archived'],`,
    to: `restore: { from: ['archived', 'draft'],`,
  },
  {
    clause: 'states-and-transitions/row-any-state-other-than-archived',
    file: 'sandbox/content/lifecycle.ts',
    from: `restore: { from: ['archived'],`,
    to: `restore: { from: ['archived', 'published'],`,
    alsoFails: [
      'restore refuses with the statuses that are listed under Errors',
      'restore answers 409 for a content that is not archived any more, and not again after it was archived',
    ],
  },
  {
    clause: 'states-and-transitions/rule-1',
    file: 'sandbox/content/lifecycle.ts',
    from: MOVED,
    to: rewinding('isProcessed'),
  },
  {
    clause: 'states-and-transitions/rule-2',
    file: 'sandbox/content/lifecycle.ts',
    from: MOVED,
    to: rewinding('!isProcessed'),
  },
  {
    clause: 'states-and-transitions/rule-3',
    file: 'sandbox/content/records.ts',
    from: 'items.every(',
    to: 'items.some(',
  },
];
