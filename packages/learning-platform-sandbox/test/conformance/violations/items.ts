import { changeBody, type Fields } from '../fronts/fronts';
import { type Asks, RESTORE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

/** Changes the items of records. */
const changeItems = (is: Asks, change: (item: Fields, n: number) => Fields): Front =>
  changeBody<{ items: Fields[] }>(is, (record) => ({ ...record, items: record.items.map(change) }));

/** Violations that the checks of items find. */
export const ITEM_VIOLATIONS: ViolationTable = {
  'item/row-id': {
    'returns the same id for all items': changeItems(RESTORE, (item) => ({ ...item, id: 'item' })),
  },
  'item/row-type': {
    'returns the type of an item as an object': changeItems(RESTORE, (item) => ({
      ...item,
      type: { name: item.type },
    })),
  },
  'item/row-rank': {
    'returns the items with the highest rank first': changeBody<{ items: Fields[] }>(RESTORE, (record) => ({
      ...record,
      items: record.items.toReversed(),
    })),
  },
  'item/row-summary': {
    'omits the summary of items from the answer to a restore': {
      front: changeItems(RESTORE, (item) => ({ ...item, summary: '' })),
    },
  },
  'item/row-status': {
    'omits the processing state of items from the answer to a restore': {
      front: changeItems(RESTORE, (item) => ({ ...item, status: null })),
    },
  },
};
