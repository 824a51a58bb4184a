import { type Check } from '../check';
import {
  expectArchived,
  restore,
  expectRestored,
  UNKNOWN_CONTENT_ID,
  UNKNOWN_REFERENCE,
} from '../content-writes';
import { basic, expectStatus } from '../requests';

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
      await expectRestored(tenant, id);
    },
  },
  {
    name: 'restore answers 403 to a read-only token, and restores nothing',
    clauses: ['errors/row-403'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      expectStatus(await restore(tenant, id, { scope: 'api/read' }), 403);
      await expectRestored(tenant, id);
    },
  },
  {
    name: 'restore answers 404 for a content that does not exist',
    clauses: ['errors/row-404'],
    needs: 'write',
    async run(tenant) {
      // Shows that the operation exists, so that the 404 is about the content.
      await expectRestored(tenant, await tenant.archivedContent());
      expectStatus(await restore(tenant, UNKNOWN_CONTENT_ID), 404);
    },
  },
  {
    name: 'restore answers 409 for a restored content until it is archived again',
    clauses: ['errors/row-409'],
    needs: 'write',
    async run(tenant) {
      const id = await tenant.archivedContent();
      await expectRestored(tenant, id);
      expectStatus(await restore(tenant, id), 409);
      await expectArchived(tenant, id);
      await expectRestored(tenant, id);
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
      await expectRestored(tenant, id);
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
];
