import { changeBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, GET, PUBLISH, RESTORE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** The shape of the record that restore answers. */
const asRecord = ({ id }: Fields) => ({ id, status: 'published', items: [] });

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
  'content-record-as-returned-by-restore/row-items': {
    'omits items in error from the answer to a restore': changeBody<{ items: { status: string }[] }>(
      RESTORE,
      (record) => ({
        ...record,
        items: record.items.filter(({ status }) => status !== 'error'),
      }),
    ),
  },
  'content-record-as-returned-by-restore/paragraph-1': {
    "returns the record's shape for GET of a content": {
      front: changeBody(GET, asRecord),
      alsoFails: ['the records of restore and archive differ in shape from all catalogue views'],
    },
    "returns the record's shape for publish": changeBody(PUBLISH, asRecord),
  },
};
