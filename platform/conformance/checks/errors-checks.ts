import { type Check, must } from '../check';
import {
  archived,
  CHANGES,
  COMING_SOON_WRITES,
  CREATE,
  DELETE,
  EXISTING_WRITES,
  restore,
  restored,
  sendWrite,
  UNKNOWN_CONTENT_ID,
  UNKNOWN_REFERENCE,
} from '../content-writes';
import { basic, contentRequest, expectStatus, expectSuccess } from '../requests';
import { mustLeaveUnmodified, withContentFault } from '../stored-contents';

/** The dependencies of the sandbox's content operations. */
const DEPENDENCIES = ['directory', 'store', 'audit'];
/** The statuses listed in the specification's table. */
const LISTED = [401, 403, 404, 409, 415, 422, 502];

/** @see specification, "Errors" */
export const ERROR_CHECKS: readonly Check[] = [
  {
    name: 'restore answers 401 to missing or invalid authentication, and restores nothing',
    clauses: ['errors/row-401'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { scope: null }), 401);
      for (const authorization of [
        'Bearer nobody-was-given-this-token',
        basic(tenant.tenantId, 'nobody-was-given-this-key'),
        'Digest username="nobody"',
      ]) {
        expectStatus(await restore(tenant, id, { headers: { authorization } }), 401);
      }
      await restored(tenant, id);
    },
  },
  {
    name: 'restore answers 403 to a read-only token, and restores nothing',
    clauses: ['errors/row-403'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { scope: 'api/read' }), 403);
      await restored(tenant, id);
    },
  },
  {
    name: 'restore answers 404 for a content that does not exist',
    clauses: ['errors/row-404'],
    needs: 'write',
    async run(tenant) {
      // Shows that the operation exists, so that the 404 is about the content.
      await restored(tenant, await tenant.archivedContent());
      expectStatus(await restore(tenant, UNKNOWN_CONTENT_ID), 404);
    },
  },
  {
    name: `restore answers 404 for another tenant's content and for a deleted one`,
    clauses: ['errors/row-404'],
    needs: 'control',
    async run(tenant) {
      const foreign = await tenant.neighbor.archivedContent();
      await mustLeaveUnmodified(tenant.neighbor, [foreign], async () => {
        expectStatus(await restore(tenant, foreign), 404);
      });
      const deleted = await tenant.archivedContent();
      expectSuccess(await sendWrite(tenant, DELETE, deleted, { authorRef: tenant.authorRef }));
      expectStatus(await restore(tenant, deleted), 404);
    },
  },
  {
    name: 'restore answers 409 for a restored content until it is archived again',
    clauses: ['errors/row-409'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      await restored(tenant, id);
      expectStatus(await restore(tenant, id), 409);
      await archived(tenant, id);
      await restored(tenant, id);
    },
  },
  {
    name: 'restore answers 415 unless its Content-Type is application/json, and restores nothing',
    clauses: ['errors/row-415'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      const body = JSON.stringify({ authorRef: tenant.authorRef });
      expectStatus(await restore(tenant, id, { body }), 415);
      for (const type of ['text/plain', 'application/jsonp', 'application/merge-patch+json']) {
        expectStatus(await restore(tenant, id, { body, headers: { 'content-type': type } }), 415);
      }
      await restored(tenant, id);
    },
  },
  {
    name: 'restore answers 422 for a missing, malformed or unknown acting user',
    clauses: ['errors/row-422'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      for (const json of [
        {},
        { authorRef: 7 },
        { collaborationId: ['x'] },
        { authorRef: '' },
        { authorRef: UNKNOWN_REFERENCE },
        { collaborationId: UNKNOWN_REFERENCE },
      ]) {
        expectStatus(await restore(tenant, id, { json }), 422);
      }
    },
  },
  {
    name: 'restore answers 422 for references of another organization',
    clauses: ['errors/row-422'],
    needs: 'control',
    async run(tenant) {
      const { authorRef, collaborationId } = tenant.neighbor;
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { json: { authorRef } }), 422);
      expectStatus(await restore(tenant, id, { json: { collaborationId } }), 422);
    },
  },
  {
    name: 'restore and reads answer 502 when a service they depend on fails',
    clauses: ['errors/row-502'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.archivedContent();
      for (const dependency of DEPENDENCIES) {
        await withContentFault(tenant, { dependency }, async () => {
          expectStatus(await restore(tenant, id), 502);
        });
      }
      await withContentFault(tenant, { dependency: 'store' }, async () => {
        expectStatus(await contentRequest(tenant, 'GET', `/contents/${id}`), 502);
        expectStatus(await contentRequest(tenant, 'GET', '/contents'), 502);
      });
    },
  },
  {
    name: 'a write that fails with a dependency modifies nothing, and succeeds when sent again',
    clauses: ['errors/rule-1'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      for (const write of [...EXISTING_WRITES, ...COMING_SOON_WRITES]) {
        const id = await tenant.contentIn(write.possibleIn);
        for (const dependency of DEPENDENCIES) {
          await mustLeaveUnmodified(tenant, [id], () =>
            withContentFault(tenant, { dependency }, async () => {
              const { status } = await sendWrite(tenant, write, id, { authorRef });
              must(status >= 500, `${write.method} ${write.path} does not depend on the ${dependency}`);
            }),
          );
        }
        expectSuccess(await sendWrite(tenant, write, id, { authorRef }));
      }
    },
  },
  {
    name: 'a system failure gets a status that no listed error has',
    clauses: ['errors/row-default'],
    needs: 'control',
    async run(tenant) {
      const id = await tenant.archivedContent();
      await withContentFault(tenant, { status: 500 }, async () => {
        const { status } = await restore(tenant, id);
        must(status >= 500 && !LISTED.includes(status), `answered ${status} to a system failure`);
      });
    },
  },
  {
    name: 'a write whose references fail validation writes nothing',
    clauses: ['errors/rule-2'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      const attempts = [
        ...[...EXISTING_WRITES, ...COMING_SOON_WRITES].map((write) => ({
          write,
          actingUser: { authorRef: UNKNOWN_REFERENCE },
        })),
        ...[CREATE, ...COMING_SOON_WRITES].map((write) => ({
          write,
          actingUser: { authorRef, collaborationId: UNKNOWN_REFERENCE },
        })),
        ...CHANGES.map((write) => ({ write, actingUser: { authorRef: 7 } })),
      ];
      for (const { write, actingUser } of attempts) {
        const id = await tenant.contentIn(write.possibleIn);
        await mustLeaveUnmodified(tenant, [id], async () => {
          await sendWrite(tenant, write, id, actingUser);
        });
      }
    },
  },
];
