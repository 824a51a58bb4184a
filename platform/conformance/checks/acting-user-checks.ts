import { type Check, must } from '../check';
import {
  CHANGES,
  COMING_SOON_WRITES,
  CREATE,
  createdContent,
  DELETE,
  EXISTING_WRITES,
  restore,
  restored,
  sendWrite,
  UNKNOWN_REFERENCE,
} from '../content-writes';
import { contentRequest, expectRefusal, expectSuccess } from '../requests';
import { lastChange, mustLeaveUnmodified, storedContent, withRestoreSet } from '../stored-contents';

/** @see specification, "Acting-user object" */
export const ACTING_USER_CHECKS: readonly Check[] = [
  {
    name: 'with authorRef alone, that user acts, and is the author of a created content',
    clauses: ['acting-user-object/row-authorref'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant.others;
      const made = await createdContent(tenant, { authorRef });
      const archived = await tenant.archivedContent();
      await restored(tenant, archived, { authorRef });
      const { author } = await storedContent(tenant, made);
      must(author === authorRef, 'the author of the created content is not the given authorRef');
      const { author: former } = await storedContent(tenant, archived);
      must(former !== authorRef, 'restoring a content changes its author');
      for (const id of [made, archived]) {
        const { actingUser } = await lastChange(tenant, id);
        must(actingUser === authorRef, 'authorRef is not the acting user');
      }
    },
  },
  {
    name: 'with collaborationId alone, that collaboration becomes the owner of the content',
    clauses: ['acting-user-object/row-collaborationid'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const { collaborationId } = tenant.others;
      await restored(tenant, id, { collaborationId });
      const { owner } = await storedContent(tenant, id);
      must(owner === collaborationId, 'the collaboration does not own the content');
    },
  },
  {
    name: 'with both references, the collaboration owns the content and the author acts',
    clauses: ['acting-user-object/rule-1'],
    needs: 'control',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      const archived = await tenant.archivedContent();
      await restored(tenant, archived, { authorRef, collaborationId });
      for (const id of [archived, await createdContent(tenant, { collaborationId })]) {
        const { owner } = await storedContent(tenant, id);
        must(owner === collaborationId, 'the collaboration does not own the content');
        const { actingUser } = await lastChange(tenant, id);
        must(actingUser === authorRef, 'the author is not the acting user');
      }
    },
  },
  {
    name: 'a write with collaborationId alone is recorded against a system account, the same for all tenants',
    clauses: ['acting-user-object/rule-2'],
    needs: 'control',
    async run(tenant) {
      const accounts = [];
      for (const each of [tenant, tenant.neighbor]) {
        const id = await each.archivedContent();
        await restored(each, id, { collaborationId: each.collaborationId });
        const { actingUser } = await lastChange(each, id);
        must(actingUser !== each.collaborationId, 'the collaboration is the acting user');
        const { author } = await storedContent(each, id);
        must(actingUser !== author && actingUser !== each.authorRef, 'a user is the acting user');
        accounts.push(actingUser);
      }
      must(accounts[0] === accounts[1], 'the system account is not the same for all tenants');
    },
  },
  {
    name: 'an unknown reference is refused, and the content can still be restored',
    clauses: ['acting-user-object/rule-3'],
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
      await restored(tenant, id);
    },
  },
  {
    name: 'every write refuses a reference of another organization and writes nothing',
    clauses: ['acting-user-object/rule-3'],
    needs: 'control',
    async run(tenant) {
      for (const write of [...EXISTING_WRITES, ...COMING_SOON_WRITES]) {
        const id = await tenant.contentIn(write.possibleIn);
        await mustLeaveUnmodified(tenant, [id], async () => {
          expectRefusal(await sendWrite(tenant, write, id, { authorRef: tenant.neighbor.authorRef }));
        });
      }
      for (const write of [CREATE, ...COMING_SOON_WRITES]) {
        const id = await tenant.contentIn(write.possibleIn);
        const { collaborationId } = tenant.neighbor;
        await mustLeaveUnmodified(tenant, [id], async () => {
          expectRefusal(await sendWrite(tenant, write, id, { authorRef: tenant.authorRef, collaborationId }));
        });
      }
    },
  },
  {
    name: 'the four existing writes require authorRef, even with a collaborationId',
    clauses: ['acting-user-object/rule-4'],
    needs: 'write',
    async run(tenant) {
      const id = await createdContent(tenant);
      for (const write of EXISTING_WRITES) {
        expectRefusal(await sendWrite(tenant, write, id, {}));
        expectRefusal(await sendWrite(tenant, write, id, { collaborationId: tenant.collaborationId }));
      }
      expectSuccess(await sendWrite(tenant, DELETE, id, { authorRef: tenant.authorRef }));
    },
  },
  {
    name: 'the four existing writes change nothing without authorRef',
    clauses: ['acting-user-object/rule-4'],
    needs: 'control',
    async run(tenant) {
      for (const write of EXISTING_WRITES) {
        const id = await tenant.contentIn(write.possibleIn);
        await mustLeaveUnmodified(tenant, [id], async () => {
          expectRefusal(await sendWrite(tenant, write, id, {}));
        });
      }
    },
  },
  {
    name: 'only POST /contents of the four existing writes accepts a collaborationId',
    clauses: ['acting-user-object/rule-4'],
    needs: 'control',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      const made = await createdContent(tenant, { collaborationId });
      must(
        (await storedContent(tenant, made)).owner === collaborationId,
        'POST /contents ignored the collaborationId',
      );
      for (const write of CHANGES) {
        const id = await tenant.contentIn(write.possibleIn);
        await mustLeaveUnmodified(tenant, [id], async () => {
          expectRefusal(await sendWrite(tenant, write, id, { authorRef, collaborationId }));
        });
      }
    },
  },
  {
    name: 'the four existing writes take the acting user from the body, even when restore takes it from headers',
    clauses: ['acting-user-object/rule-4'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      await withRestoreSet(tenant, { actingUserIn: 'header' }, async () => {
        for (const write of EXISTING_WRITES) {
          const id = await tenant.contentIn(write.possibleIn);
          expectSuccess(await sendWrite(tenant, write, id, { authorRef }));
        }
      });
    },
  },
  {
    name: 'restore can take the same identifiers from headers, and then ignores those in the body',
    clauses: ['acting-user-object/rule-5', 'versioning/bullet-2'],
    needs: 'control',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      const id = await tenant.archivedContent();
      const actingUserHeaders = { authorRef: 'X-Acting-Author', collaborationId: 'X-Acting-Team' };
      await withRestoreSet(tenant, { actingUserIn: 'header', actingUserHeaders }, async () => {
        expectRefusal(await restore(tenant, id, { json: { authorRef, collaborationId } }));
        const headers = { 'x-acting-author': authorRef, 'x-acting-team': collaborationId };
        expectSuccess(await contentRequest(tenant, 'POST', `/contents/${id}/restore`, { json: {}, headers }));
      });
      const { owner } = await storedContent(tenant, id);
      must(owner === collaborationId, 'the collaboration of the header does not own the content');
      const { actingUser } = await lastChange(tenant, id);
      must(actingUser === authorRef, 'the author of the header is not the acting user');
    },
  },
];
