import { type Check, must } from '../check';
import { archived, createdContent, itemsOf, restored } from '../content-writes';
import { letItemsBeProcessed, storedContent } from '../stored-contents';
import { type ControlledTenant, NotExaminableError, type WritableTenant } from '../tenant';

/** @see specification, "Item" */
export const ITEM_CHECKS: readonly Check[] = [
  {
    name: 'the ids of items are strings, and unique within the content',
    clauses: ['item/row-id'],
    needs: 'write',
    async run(tenant) {
      const ids = await fieldOfItems(tenant, 'id');
      mustBeStrings(ids);
      must(new Set(ids).size === ids.length, 'two items have the same id');
    },
  },
  {
    name: 'the type of an item is a string',
    clauses: ['item/row-type'],
    needs: 'write',
    async run(tenant) {
      mustBeStrings(await fieldOfItems(tenant, 'type'));
    },
  },
  {
    name: 'the items have the types they were created with',
    clauses: ['item/row-type'],
    needs: 'control',
    async run(tenant) {
      const items = await recordOfNew(tenant, ITEMS);
      must(
        ITEMS.every(({ type, summary }) => items.find((item) => item.summary === summary)?.type === type),
        'the items have other types than they were created with',
      );
    },
  },
  {
    name: 'the items are ranked by integers, lowest first',
    clauses: ['item/row-rank'],
    needs: 'write',
    async run(tenant) {
      const ranks = await fieldOfItems(tenant, 'rank');
      must(ranks.every(Number.isInteger), 'a rank is not an integer');
      must(
        ranks.every((rank, n) => n === 0 || (rank as number) > (ranks[n - 1] as number)),
        'the items are not sorted by rank',
      );
    },
  },
  {
    name: 'the rank of an item is its position within the content',
    clauses: ['item/row-rank'],
    needs: 'control',
    async run(tenant) {
      const items = await recordOfNew(tenant, ITEMS);
      const byRank = items.toSorted((a, b) => (a.rank as number) - (b.rank as number));
      must(
        ITEMS.every(({ summary }, n) => byRank[n]?.summary === summary),
        'the ranks do not follow the order in which the items were given',
      );
    },
  },
  {
    name: 'the summary of an item is a string',
    clauses: ['item/row-summary'],
    needs: 'write',
    async run(tenant) {
      mustBeStrings(await fieldOfItems(tenant, 'summary'));
    },
  },
  {
    name: 'the processing state of an item is a string',
    clauses: ['item/row-status'],
    needs: 'write',
    async run(tenant) {
      mustBeStrings(await fieldOfItems(tenant, 'status'));
    },
  },
  {
    name: 'a new item is processed over time, and its content is ready only when the item is ok',
    clauses: ['item/row-status'],
    needs: 'control',
    async run(tenant) {
      const id = await createdContent(tenant, { items: [{ type: 'file', summary: 'The only one' }] });
      const before = await storedContent(tenant, id);
      must(before.items[0]?.status !== 'ok', 'a new item is ok at once');
      must(before.status !== 'ready', 'the content is ready before its item is ok');
      await letItemsBeProcessed(tenant);
      const after = await storedContent(tenant, id);
      must(after.items[0]?.status === 'ok', 'the processed item is not ok');
      must(after.status === 'ready', 'the content is not ready although its item is ok');
    },
  },
  {
    name: 'a failed item has a failure reason, and no other item has',
    clauses: ['item/row-failure-reason'],
    needs: 'control',
    async run(tenant) {
      const { environment, platformRegion, tenantId } = tenant;
      const reason = 'the codec is not known';
      const match = { environment, platformRegion, tenantId, type: 'video' };
      await tenant.control('POST', 'item-failures', { match, reason });
      const items = await recordOfNew(tenant, ITEMS);
      const failed = items.find(({ status }) => status === 'error');
      must(failed !== undefined, 'the failed item is not in error');
      must(Object.values(failed).includes(reason), 'no field of the failed item holds the failure reason');
      must(
        items.every((item) => item === failed || Object.keys(item).length < Object.keys(failed).length),
        'an item that did not fail has a failure reason',
      );
    },
  },
];

const ITEMS = [
  { type: 'video', summary: 'See it' },
  { type: 'quiz', summary: 'Know it' },
  { type: 'link', summary: 'Go on' },
];

/** One field of each item of a restored content. @throws {NotExaminableError} if it has no items */
async function fieldOfItems(tenant: WritableTenant, field: string): Promise<readonly unknown[]> {
  const items = itemsOf(await restored(tenant, await tenant.archivedContent()));
  if (items.length === 0) throw new NotExaminableError('the archived content has no items');
  return items.map((item) => item[field]);
}

/** Creates a content, processes its items, archives it, and returns the items of the record. */
async function recordOfNew(tenant: ControlledTenant, items: readonly object[]) {
  const id = await createdContent(tenant, { items });
  await letItemsBeProcessed(tenant);
  return itemsOf(await archived(tenant, id));
}

function mustBeStrings(values: readonly unknown[]): void {
  must(
    values.every((value) => typeof value === 'string' && value !== ''),
    'the field is not a non-empty string',
  );
}
