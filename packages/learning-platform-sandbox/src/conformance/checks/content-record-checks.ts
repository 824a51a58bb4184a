import { isDeepStrictEqual } from 'node:util';
import { type Check, must } from '../check';
import { expectArchived, expectRestored } from '../content-writes';
import { type WritableTenant } from '../tenant';

/** @see specification, "Content record as returned by restore (and archive)" */
export const CONTENT_RECORD_CHECKS: readonly Check[] = [
  {
    name: 'the record that restore and archive return has the id of the content',
    clauses: ['content-record-as-returned-by-restore/row-id'],
    needs: 'write',
    async run(tenant) {
      const { id, records } = await recordsOf(tenant);
      must(
        records.every((record) => record.id === id),
        'the record has a different id than the content',
      );
    },
  },
  {
    name: 'the record has the lifecycle status: published after restore, archived after archive',
    clauses: ['content-record-as-returned-by-restore/row-status'],
    needs: 'write',
    async run(tenant) {
      const { records } = await recordsOf(tenant);
      const statuses = records.map(({ status }) => status);
      must(isDeepStrictEqual(statuses, ['published', 'archived']), 'the record has a wrong lifecycle status');
    },
  },
];

/** Restores and then archives a content, and returns both records. */
async function recordsOf(tenant: WritableTenant) {
  const id = await tenant.archivedContent();
  return { id, records: [await expectRestored(tenant, id), await expectArchived(tenant, id)] };
}
