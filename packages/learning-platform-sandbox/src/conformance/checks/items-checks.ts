import { type Check, must, NotExaminableError } from '../check';
import { expectRestored, itemsOf } from '../content-writes';
import { type WritableTenant } from '../tenant';

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
  stringCheck('the type of an item is a string', 'type'),
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
  stringCheck('the summary of an item is a string', 'summary'),
  stringCheck('the processing state of an item is a string', 'status'),
];

function stringCheck(name: string, field: string): Check {
  return {
    name,
    clauses: [`item/row-${field}`],
    needs: 'write',
    run: async (tenant) => mustBeStrings(await fieldOfItems(tenant, field)),
  };
}

/** One field of each item of a restored content. @throws {NotExaminableError} if it has no items */
async function fieldOfItems(tenant: WritableTenant, field: string): Promise<readonly unknown[]> {
  const items = itemsOf(await expectRestored(tenant, await tenant.archivedContent()));
  if (items.length === 0) throw new NotExaminableError('the archived content has no items');
  return items.map((item) => item[field]);
}

function mustBeStrings(values: readonly unknown[]): void {
  must(
    values.every((value) => typeof value === 'string' && value !== ''),
    'the field is not a non-empty string',
  );
}
