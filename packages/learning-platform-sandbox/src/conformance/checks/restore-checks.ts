import { listedIds } from '../catalogue';
import { type Check, must } from '../check';
import { itemsOf, restore, expectRestored, UNKNOWN_CONTENT_ID } from '../content-writes';
import { basic, expectRefusal, expectStatus, expectSuccess } from '../requests';
import { type WritableTenant } from '../tenant';

/** @see specification, "3. Restore archived content" and "Limits" */
export const RESTORE_CHECKS: readonly Check[] = [
  {
    name: 'restore moves a content from the archived list to the published list',
    clauses: ['restore-archived-content/bullet-1'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      must((await listedIds(tenant, 'archived')).includes(id), 'the content is not among the archived ones');
      await expectRestored(tenant, id);
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
    name: 'restore affects only the content in the path',
    clauses: ['restore-archived-content/bullet-2'],
    needs: 'write',
    async run(tenant) {
      const ids = [await tenant.archivedContent(), await tenant.archivedContent()];
      for (const id of ids) {
        // If the first restore had restored both, the second would be refused.
        must((await expectRestored(tenant, id)).id === id, 'another content was restored');
      }
    },
  },
  {
    name: 'restore takes an acting-user object as application/json, with one reference or both',
    clauses: ['restore-archived-content/bullet-3', 'limits/row-acting-user'],
    needs: 'write',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant;
      for (const actingUser of [{ authorRef }, { collaborationId }, { authorRef, collaborationId }]) {
        await expectRestored(tenant, await tenant.archivedContent(), actingUser);
      }
      const id = await tenant.archivedContent();
      for (const body of ['', '{', '{}', 'null', '[]', JSON.stringify(authorRef)]) {
        expectRefusal(await restore(tenant, id, { body, headers: { 'content-type': 'application/json' } }));
      }
      await expectRestored(tenant, id);
    },
  },
  {
    name: 'restore returns the record: id, status published, items',
    clauses: [
      'restore-archived-content/bullet-4',
      'content-record-as-returned-by-restore/row-items',
      'states-and-transitions/row-archived',
    ],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const record = await expectRestored(tenant, id);
      must(record.id === id, 'the record has a different id than the content');
      must(record.status === 'published', 'the record is not published');
      itemsOf(record);
    },
  },
  {
    name: 'restore accepts Basic authentication, and Bearer tokens whose scope allows writes',
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
    name: 'restore refuses with the statuses listed under Errors',
    clauses: [
      'restore-archived-content/bullet-6',
      'states-and-transitions/row-any-state-other-than-archived',
    ],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { scope: null }), 401);
      expectStatus(await restore(tenant, id, { scope: 'api/read' }), 403);
      expectStatus(await restore(tenant, UNKNOWN_CONTENT_ID), 404);
      expectStatus(await restore(tenant, id, { body: '{}', headers: { 'content-type': 'text/plain' } }), 415);
      expectStatus(await restore(tenant, id, { json: {} }), 422);
      await expectRestored(tenant, id);
      expectStatus(await restore(tenant, id), 409);
    },
  },
  {
    name: 'restore accepts only application/json, with or without a charset',
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

function restoreAs(tenant: WritableTenant, id: string, contentType: string) {
  return restore(tenant, id, { headers: { 'content-type': contentType } });
}
