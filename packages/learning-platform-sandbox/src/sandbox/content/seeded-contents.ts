import { type TenantReference } from '../deployment-key';
import { type SeedContent, type SeedItem } from '../seed-content';
import { seededIds } from '../seeded-ids';
import { alwaysIn } from './item-schedule';
import { type Content, type Item, ITEM_TYPES, type LifecycleStatus } from './records';

const SEEDED_AT = '2025-01-01T00:00:00.000Z';
/** The default contents of a tenant: five archived, and one in each other status. */
export const DEFAULT_CONTENTS: SeedContent[] = [
  ...Array<SeedContent>(5).fill({ status: 'archived' }),
  { status: 'draft' },
  { status: 'published' },
  { status: 'ready' },
];
/** The tenant that seeded contents belong to. */
type SeededTenant = TenantReference & { readonly authorRefs: readonly string[] };
/** Deliberately unordered: the platform does not promise to store items in order. */
const DEFAULT_RANKS = [2, 0, 1];

/**
 * Creates the nth content of a tenant. The status of its items never changes.
 * @param seed must refer to the tenant's own users and collaborations, and have items that fit its status
 */
export function contentFrom(seed: SeedContent, tenant: SeededTenant, n: number): Content {
  const { status, title = `Course ${n + 1}`, authorRef = tenant.authorRefs[0]!, collaborationId } = seed;
  const id = seededIds(tenant, tenant.tenantId);
  return {
    id: seed.id ?? id('content', n),
    // `ready` is computed, not stored. The seed's rules make sure that all items are `ok`.
    status: status === 'ready' ? 'draft' : status,
    title,
    description: `${title}, made by the sandbox`,
    tags: ['sandbox'],
    type: 'course',
    author: authorRef,
    owner: collaborationId ?? authorRef,
    createdAt: SEEDED_AT,
    updatedAt: SEEDED_AT,
    deleted: false,
    items:
      seed.items?.map((item, rank) => seededItem(id(`item of content ${n}`, rank), n, rank, item)) ??
      DEFAULT_RANKS.map((rank) =>
        seededItem(id('item', n * DEFAULT_RANKS.length + rank), n, rank, defaultState(status, n, rank)),
      ),
  };
}

function seededItem(id: string, n: number, rank: number, seed: SeedItem): Item {
  const { type = ITEM_TYPES[(n + rank) % ITEM_TYPES.length]!, summary = `Part ${rank + 1}` } = seed;
  return { id, type, rank, summary, schedule: alwaysIn(seed.status, seed.failureReason) };
}

/** All items are `ok`, except the last one of each draft, and of content 0 if it is archived. */
function defaultState(status: LifecycleStatus, n: number, rank: number): SeedItem {
  const isLast = rank === DEFAULT_RANKS.length - 1;
  if (isLast && status === 'draft') return { status: 'processing' };
  if (isLast && status === 'archived' && n === 0) {
    return { status: 'error', failureReason: 'the file could not be converted' };
  }
  return { status: 'ok' };
}
