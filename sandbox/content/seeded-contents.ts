import { createHash } from 'node:crypto';
import { type Cell, cellName } from '../seed';
import { type Content, type Item, type LifecycleStatus } from './records';

const SEEDED_AT = '2025-01-01T00:00:00.000Z';
const STATUSES: readonly LifecycleStatus[] = [
  ...Array<LifecycleStatus>(5).fill('archived'),
  'draft',
  'published',
  'ready',
];
const TYPES: readonly Item['type'][] = ['file', 'video', 'link', 'article', 'quiz'];
/** Not in order, as nothing promises that a store keeps one. */
const RANKS = [2, 0, 1];

/** Makes ids that are the same in every run: 24 hexadecimal digits for a cell, tenant, kind and number. */
export type SeededId = (kind: string, n: number) => string;

/** The ids of one tenant. */
export function seededIds(cell: Cell, tenantId: string): SeededId {
  return (kind, n) =>
    createHash('sha256')
      .update(`${cellName(cell)}/${tenantId}/${kind}/${n}`)
      .digest('hex')
      .slice(0, 24);
}

/** Five archived contents and one in every other state, by id. */
export function seededContents(id: SeededId, owner: string): Map<string, Content> {
  const contents = STATUSES.map((status, n) => seededContent(id, owner, n, status));
  return new Map(contents.map((content) => [content.id, content]));
}

/** A tenant's content of a number, in the state that is asked for. */
export function seededContent(id: SeededId, owner: string, n: number, status: LifecycleStatus): Content {
  return {
    id: id('content', n),
    status,
    title: `Course ${n + 1}`,
    createdAt: SEEDED_AT,
    updatedAt: SEEDED_AT,
    author: owner,
    owner,
    items: RANKS.map((rank) => seededItem(id, n, status, rank)),
  };
}

/** Items are `ok`, as ready and published need, but for the last one of each draft and of the first archived content. */
function seededItem(id: SeededId, n: number, status: LifecycleStatus, rank: number): Item {
  const type = TYPES[(n + rank) % TYPES.length] ?? 'file';
  const item = { id: id('item', n * RANKS.length + rank), type, rank, summary: `Part ${rank + 1}` };
  const isLast = rank === RANKS.length - 1;
  if (isLast && status === 'draft') return { ...item, status: 'processing' };
  if (isLast && n === 0)
    return { ...item, status: 'error', failureReason: 'the file could not be converted' };
  return { ...item, status: 'ok' };
}
