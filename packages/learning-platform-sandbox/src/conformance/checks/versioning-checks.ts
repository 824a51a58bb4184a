import { listedContents, shapeOf } from '../catalogue';
import { type Check, must } from '../check';
import { expectArchived, expectRestored } from '../content-writes';
import { contentRequest, expectSuccess, objectOf } from '../requests';

/** @see specification, "Versioning" */
export const VERSIONING_CHECKS: readonly Check[] = [
  {
    name: 'the records of restore and archive differ in shape from all catalogue views',
    clauses: ['versioning/bullet-3', 'content-record-as-returned-by-restore/paragraph-1'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const records = [await expectRestored(tenant, id), await expectArchived(tenant, id)];
      const read = await contentRequest(tenant, 'GET', `/contents/${id}`);
      expectSuccess(read);
      const views = [objectOf(read), ...(await listedContents(tenant))];
      const shapes = new Set(views.map(shapeOf));
      must(
        records.every((record) => !shapes.has(shapeOf(record))),
        'a record and a catalogue view have the same shape',
      );
    },
  },
];
