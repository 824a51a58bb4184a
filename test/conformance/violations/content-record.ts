import { changeBody, type Fields } from '../fronts/fronts';
import { ARCHIVE, GET, PUBLISH, RESTORE } from '../fronts/operations';
import { type Violation } from '../violation';

/** The shape of the record that restore answers. */
const asRecord = ({ id }: Fields) => ({ id, status: 'published', items: [] });

/** Violations that the checks of the content record find. */
export const CONTENT_RECORD_VIOLATIONS: readonly Violation[] = [
  {
    clause: 'content-record-as-returned-by-restore/row-id',
    violation: 'answers an archive with the id of another content',
    front: changeBody(ARCHIVE, (record) => ({ ...record, id: 'content' })),
  },
  {
    clause: 'content-record-as-returned-by-restore/row-status',
    violation: 'answers an archive with the status published',
    front: changeBody(ARCHIVE, (record) => ({ ...record, status: 'published' })),
  },
  {
    clause: 'content-record-as-returned-by-restore/row-items',
    violation: 'answers a restore without the items that are in error',
    front: changeBody<{ items: { status: string }[] }>(RESTORE, (record) => ({
      ...record,
      items: record.items.filter(({ status }) => status !== 'error'),
    })),
  },
  {
    clause: 'content-record-as-returned-by-restore/paragraph-1',
    violation: 'answers GET of a content in the shape of the record',
    front: changeBody(GET, asRecord),
    alsoFails: ['restore and archive answer another shape than the catalogue, listed or read one by one'],
  },
  {
    clause: 'content-record-as-returned-by-restore/paragraph-1',
    violation: 'answers publish in the shape of the record',
    front: changeBody(PUBLISH, asRecord),
  },
];
