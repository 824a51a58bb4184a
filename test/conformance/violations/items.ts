import { controlOf } from '../fronts/control';
import { changeBody, changeRequest, changeRequestBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, type Asks, CREATE, either, RESTORE } from '../fronts/operations';
import { type Front, type Violation } from '../violation';

const STATES = 'the record has an array of the items, each with its processing state';

/** Answers a record with other items. */
const changeItems = (is: Asks, change: (item: Fields, n: number) => Fields): Front =>
  changeBody<{ items: Fields[] }>(is, (record) => ({ ...record, items: record.items.map(change) }));

/** Violations that the checks of items find. */
export const ITEM_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'item/row-id',
    violation: 'answers one id for all items',
    front: changeItems(RESTORE, (item) => ({ ...item, id: 'item' })),
  },
  {
    clause: 'item/row-type',
    violation: 'answers the type of an item as an object',
    front: changeItems(RESTORE, (item) => ({ ...item, type: { name: item.type } })),
  },
  {
    clause: 'item/row-type',
    violation: 'answers the same type for all items',
    front: changeItems(ARCHIVE, (item) => ({ ...item, type: 'article' })),
  },
  {
    clause: 'item/row-rank',
    violation: 'answers the items with the highest rank first',
    front: changeBody<{ items: Fields[] }>(RESTORE, (record) => ({
      ...record,
      items: record.items.toReversed(),
    })),
  },
  {
    clause: 'item/row-rank',
    violation: 'ranks the items of a new content from the last to the first',
    front: changeRequestBody(CREATE, (body) => ({
      ...body,
      items: Array.isArray(body.items) ? body.items.toReversed() : body.items,
    })),
  },
  {
    clause: 'item/row-summary',
    violation: 'answers a restore with items that have no summary',
    front: changeItems(RESTORE, (item) => ({ ...item, summary: '' })),
    alsoFails: [STATES],
  },
  {
    clause: 'item/row-status',
    violation: 'answers a restore with items that have no processing state',
    front: changeItems(RESTORE, (item) => ({ ...item, status: null })),
    alsoFails: [STATES],
  },
  {
    clause: 'item/row-status',
    violation: 'has processed the items of a new content at once',
    front: changeRequest(CREATE, async (asked, sandbox) => {
      await controlOf(asked, sandbox)('POST', 'processing', { startsAfterSec: 0, takesSec: 0 });
      return asked;
    }),
    alsoFails: ['a content is first a draft, then ready, published and archived'],
  },
  {
    clause: 'item/row-failure-reason',
    violation: 'does not tell why the processing of an item failed',
    front: changeItems(either(ARCHIVE, RESTORE), (item) => ({ ...item, failureReason: undefined })),
  },
  {
    clause: 'item/row-failure-reason',
    violation: 'answers a failure reason for every item',
    front: changeItems(either(ARCHIVE, RESTORE), (item) => ({ failureReason: '', ...item })),
  },
];
