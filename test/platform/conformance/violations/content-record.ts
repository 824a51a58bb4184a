import { changeBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, GET, PUBLISH, RESTORE } from '../fronts/operations';
import { type ViolationTable } from '../violation';

/** The shape of the record that restore answers. */
const asRecord = ({ id }: Fields) => ({ id, status: 'published', items: [] });

/** Violations that the checks of the content record find. */
export const CONTENT_RECORD_VIOLATIONS: ViolationTable = {
  'content-record-as-returned-by-restore/row-id': {
    'answers an archive with the id of another content': changeBody(ARCHIVE, (record) => ({
      ...record,
      id: 'content',
    })),
  },
  'content-record-as-returned-by-restore/row-status': {
    'answers an archive with the status published': changeBody(ARCHIVE, (record) => ({
      ...record,
      status: 'published',
    })),
  },
  'content-record-as-returned-by-restore/row-items': {
    'answers a restore without the items that are in error': changeBody<{ items: { status: string }[] }>(
      RESTORE,
      (record) => ({
        ...record,
        items: record.items.filter(({ status }) => status !== 'error'),
      }),
    ),
  },
  'content-record-as-returned-by-restore/paragraph-1': {
    'answers GET of a content in the shape of the record': {
      front: changeBody(GET, asRecord),
      alsoFails: ['restore and archive answer another shape than the catalogue, listed or read one by one'],
    },
    'answers publish in the shape of the record': changeBody(PUBLISH, asRecord),
  },
};
