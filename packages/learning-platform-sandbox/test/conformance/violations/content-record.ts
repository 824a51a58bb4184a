import { changeBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, GET, RESTORE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** The shape of the record that restore answers. */
const asRecord = ({ id }: Fields) => ({ id, status: 'published', items: [] });

/** Also violates what the specification says about the transition. */
export const NO_ITEMS: ViolationTable[string] = {
  'returns a record without items for a restore': {
    front: changeBody(RESTORE, ({ id, status }) => ({ id, status })),
    alsoFails: [
      'the ids of items are strings, and unique within the content',
      'the type of an item is a string',
      'the items are ranked by integers, lowest first',
      'the summary of an item is a string',
      'the processing state of an item is a string',
    ],
  },
};

/** Violations that the checks of the content record find. */
export const CONTENT_RECORD_VIOLATIONS: ViolationTable = {
  'content-record-as-returned-by-restore/row-id': {
    "returns another content's id for an archive": changeBody(ARCHIVE, (record) => ({
      ...record,
      id: 'content',
    })),
  },
  'content-record-as-returned-by-restore/row-status': {
    'returns the status published for an archive': changeBody(ARCHIVE, (record) => ({
      ...record,
      status: 'published',
    })),
  },
  'content-record-as-returned-by-restore/row-items': NO_ITEMS,
  'content-record-as-returned-by-restore/paragraph-1': {
    "returns the record's shape for GET of a content": {
      front: changeBody(GET, asRecord),
      alsoFails: ['the records of restore and archive differ in shape from all catalogue views'],
    },
  },
};
