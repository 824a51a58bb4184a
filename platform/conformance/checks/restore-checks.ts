import { listedIds } from '../catalogue';
import { type Check, must } from '../check';
import {
  COMING_SOON_WRITES,
  itemsOf,
  restore,
  restored,
  sendWrite,
  UNKNOWN_CONTENT_ID,
} from '../content-writes';
import { basic, expectRefusal, expectStatus, expectSuccess } from '../requests';
import { type WritableTenant } from '../tenant';

/** @see specification, "3. Restore archived content" and the rows of "Limits" that speak of it */
export const RESTORE_CHECKS: readonly Check[] = [
  {
    name: 'restore moves a content from the archived to the published ones',
    clauses: ['restore-archived-content/bullet-1'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      must((await listedIds(tenant, 'archived')).includes(id), 'the content is not among the archived ones');
      await restored(tenant, id);
      must(
        (await listedIds(tenant, 'published')).includes(id),
        'the content is not among the published ones',
      );
      must(
        !(await listedIds(tenant, 'archived')).includes(id),
        'the content is still among the archived ones',
      );
    },
  },
  {
    name: 'the id in the path says which content is restored, and no other is',
    clauses: ['restore-archived-content/bullet-2'],
    needs: 'write',
    async run(tenant) {
      const ids = [await tenant.archivedContent(), await tenant.archivedContent()];
      for (const id of ids) {
        // Had the first restored the second too, this would be refused.
        must((await restored(tenant, id)).id === id, 'another content was restored');
      }
    },
  },
  {
    name: 'the body is the acting-user object as application/json: one reference or both',
    clauses: ['restore-archived-content/bullet-3'],
    needs: 'write',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      for (const actingUser of [{ authorRef }, { collaborationId }, { authorRef, collaborationId }]) {
        await restored(tenant, await tenant.archivedContent(), actingUser);
      }
      const id = await tenant.archivedContent();
      for (const body of ['', '{', 'null', '[]', JSON.stringify(authorRef)]) {
        expectRefusal(await restore(tenant, id, { body, headers: { 'content-type': 'application/json' } }));
      }
      await restored(tenant, id);
    },
  },
  {
    name: 'the answer is the record: id, status published, items',
    clauses: ['restore-archived-content/bullet-4'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const record = await restored(tenant, id);
      must(record.id === id, 'the record has not the id of the content');
      must(record.status === 'published', 'the record is not published');
      itemsOf(record);
    },
  },
  {
    name: 'restore takes Basic or Bearer, of the tokens those whose scope allows to write',
    clauses: ['restore-archived-content/bullet-5'],
    needs: 'write',
    async run(tenant) {
      for (const scope of ['api/write', 'api/all']) {
        expectSuccess(await restore(tenant, await tenant.archivedContent(), { scope }));
      }
      const id = await tenant.archivedContent();
      expectRefusal(await restore(tenant, id, { scope: 'api/read' }));
      const authorization = basic(tenant.tenantId, await tenant.apiKey());
      expectSuccess(await restore(tenant, id, { headers: { authorization } }));
    },
  },
  {
    name: 'restore refuses with the statuses that are listed under Errors',
    clauses: ['restore-archived-content/bullet-6'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { scope: null }), 401);
      expectStatus(await restore(tenant, id, { scope: 'api/read' }), 403);
      expectStatus(await restore(tenant, UNKNOWN_CONTENT_ID), 404);
      expectStatus(await restore(tenant, id, { body: '{}', headers: { 'content-type': 'text/plain' } }), 415);
      expectStatus(await restore(tenant, id, { json: {} }), 422);
      await restored(tenant, id);
      expectStatus(await restore(tenant, id), 409);
    },
  },
  {
    name: 'restore and archive need one of authorRef and collaborationId, and either is enough',
    clauses: ['limits/row-acting-user'],
    needs: 'control',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      for (const write of COMING_SOON_WRITES) {
        const id = await tenant.contentIn(write.possibleIn);
        expectRefusal(await sendWrite(tenant, write, id, {}));
        expectSuccess(await sendWrite(tenant, write, id, { authorRef }));
        const another = await tenant.contentIn(write.possibleIn);
        expectSuccess(await sendWrite(tenant, write, another, { collaborationId }));
      }
    },
  },
  {
    name: 'restore takes application/json, also with a charset, and no other content type',
    clauses: ['limits/row-request-content-type'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
        expectRefusal(await restoreAs(tenant, id, type));
      }
      expectSuccess(await restoreAs(tenant, id, 'application/json; charset=utf-8'));
    },
  },
];

/** A restore whose body is JSON, and is said to be of that type. */
function restoreAs(tenant: WritableTenant, id: string, contentType: string) {
  const body = JSON.stringify({ authorRef: tenant.authorRef });
  return restore(tenant, id, { body, headers: { 'content-type': contentType } });
}
