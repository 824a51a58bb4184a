import { type Check } from '../check';
import {
  createContent,
  DELETE,
  EXISTING_WRITES,
  restore,
  expectRestored,
  sendWrite,
  UNKNOWN_REFERENCE,
} from '../content-writes';
import { expectRefusal, expectSuccess } from '../requests';

/** @see specification, "Acting-user object" */
export const ACTING_USER_CHECKS: readonly Check[] = [
  {
    name: 'an unknown reference is refused, and the content can still be restored',
    clauses: ['acting-user-object/rule-3', 'errors/rule-2'],
    needs: 'write',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      const id = await tenant.archivedContent();
      for (const actingUser of [
        { authorRef: UNKNOWN_REFERENCE },
        { collaborationId: UNKNOWN_REFERENCE },
        { authorRef, collaborationId: UNKNOWN_REFERENCE },
        { authorRef: UNKNOWN_REFERENCE, collaborationId },
      ]) {
        expectRefusal(await restore(tenant, id, { json: actingUser }));
      }
      await expectRestored(tenant, id);
    },
  },
  {
    name: 'the four existing writes require authorRef, even with a collaborationId',
    clauses: ['acting-user-object/rule-4'],
    needs: 'write',
    async run(tenant) {
      const id = await createContent(tenant);
      for (const write of EXISTING_WRITES) {
        expectRefusal(await sendWrite(tenant, write, id, {}));
        expectRefusal(await sendWrite(tenant, write, id, { collaborationId: tenant.collaborationId }));
      }
      expectSuccess(await sendWrite(tenant, DELETE, id, { authorRef: tenant.authorRef }));
    },
  },
];
