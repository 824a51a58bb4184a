import { listedIds } from '../catalogue';
import { type Check, NotExaminableError } from '../check';
import { createContent, DELETE, sendWrite, UPDATE } from '../content-writes';
import { contentRequest, expectStatus, expectSuccess } from '../requests';

/** @see specification, "4. Other content operations that exist" */
export const CONTENT_OPERATION_CHECKS: readonly Check[] = [
  {
    name: 'GET /contents lists contents, and GET /contents/{id} returns one',
    clauses: ['other-content-operations-that-exist/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      const [id] = await listedIds(tenant);
      if (typeof id !== 'string') throw new NotExaminableError('the tenant has no contents');
      expectSuccess(await contentRequest(tenant, 'GET', `/contents/${id}`));
    },
  },
  {
    name: 'POST /contents creates a content, PATCH changes it, and DELETE deletes it',
    clauses: ['other-content-operations-that-exist/paragraph-1'],
    needs: 'write',
    async run(tenant) {
      const actingUser = { authorRef: tenant.authorRef };
      const id = await createContent(tenant);
      expectSuccess(await contentRequest(tenant, 'GET', `/contents/${id}`));
      expectSuccess(await sendWrite(tenant, UPDATE, id, actingUser));
      expectSuccess(await sendWrite(tenant, DELETE, id, actingUser));
      expectStatus(await contentRequest(tenant, 'GET', `/contents/${id}`), 404);
    },
  },
];
