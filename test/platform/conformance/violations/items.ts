import { controlOf } from '../fronts/control';
import { changeBody, changeRequest, changeRequestBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, type Asks, CREATE, either, RESTORE } from '../fronts/operations';
import { type Front, type ViolationTable } from '../violation';

const STATES = 'the record has an array of items, each with its processing state';

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
    'returns the same type for all items': changeItems(ARCHIVE, (item) => ({ ...item, type: 'article' })),
  },
  'item/row-rank': {
    'returns the items with the highest rank first': changeBody<{ items: Fields[] }>(RESTORE, (record) => ({
      ...record,
      items: record.items.toReversed(),
    })),
    'ranks the items of a new content from the last to the first': changeRequestBody(CREATE, (body) => ({
      ...body,
      items: Array.isArray(body.items) ? body.items.toReversed() : body.items,
    })),
  },
  'item/row-summary': {
    'omits the summary of items from the answer to a restore': {
      front: changeItems(RESTORE, (item) => ({ ...item, summary: '' })),
      alsoFails: [STATES],
    },
  },
  'item/row-status': {
    'omits the processing state of items from the answer to a restore': {
      front: changeItems(RESTORE, (item) => ({ ...item, status: null })),
      alsoFails: [STATES],
    },
    'processes the items of a new content at once': {
      front: changeRequest(CREATE, async (asked, sandbox) => {
        await controlOf(asked, sandbox)('POST', 'processing', { startsAfterSec: 0, takesSec: 0 });
        return asked;
      }),
      alsoFails: ['a content goes from draft to ready, published and archived'],
    },
  },
  'item/row-failure-reason': {
    'does not say why processing of an item failed': changeItems(either(ARCHIVE, RESTORE), (item) => ({
      ...item,
      failureReason: undefined,
    })),
    'returns a failure reason for every item': changeItems(either(ARCHIVE, RESTORE), (item) => ({
      failureReason: '',
      ...item,
    })),
  },
};
