import { listedIds } from '../catalogue';
import { type Check, must } from '../check';
import { COMING_SOON_WRITES, createdContent, DELETE, PUBLISH, sendWrite, UPDATE } from '../content-writes';
import { type HttpAnswer } from '../https-requests';
import { contentRequest, expectStatus, expectSuccess } from '../requests';
import { storedContent, withRestoreSet } from '../stored-contents';
import { NotExaminableError } from '../tenant';

/** @see specification, "4. Other content operations that exist" and "What the service does" */
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
      const id = await createdContent(tenant);
      expectSuccess(await contentRequest(tenant, 'GET', `/contents/${id}`));
      expectSuccess(await sendWrite(tenant, UPDATE, id, actingUser));
      expectSuccess(await sendWrite(tenant, DELETE, id, actingUser));
      expectStatus(await contentRequest(tenant, 'GET', `/contents/${id}`), 404);
    },
  },
  {
    name: 'PATCH changes the given fields, publish publishes, and DELETE removes from the list',
    clauses: ['other-content-operations-that-exist/paragraph-1'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      const id = await tenant.contentIn('ready');
      expectSuccess(await sendWrite(tenant, UPDATE, id, { authorRef, title: 'Another title' }));
      must((await storedContent(tenant, id)).title === 'Another title', 'PATCH did not change the title');
      expectSuccess(await sendWrite(tenant, PUBLISH, id, { authorRef }));
      must((await storedContent(tenant, id)).status === 'published', 'publish did not publish');
      must((await listedIds(tenant)).includes(id), 'GET /contents does not list the content');
      expectSuccess(await sendWrite(tenant, DELETE, id, { authorRef }));
      must(!(await listedIds(tenant)).includes(id), 'GET /contents lists a deleted content');
    },
  },
  {
    name: 'while restore is unavailable, there are no operations besides the six existing ones',
    clauses: ['what-the-service-does/bullet-6'],
    needs: 'control',
    async run(tenant) {
      const json = { authorRef: tenant.authorRef, title: 'A title' };
      await withRestoreSet(tenant, { available: false }, async () => {
        for (const write of COMING_SOON_WRITES) {
          const id = await tenant.contentIn(write.possibleIn);
          expectNoOperation(await sendWrite(tenant, write, id, json));
        }
        const id = await tenant.contentIn('draft');
        for (const [method, path] of [
          ['PUT', '/contents'],
          ['PUT', `/contents/${id}`],
          ['DELETE', '/contents'],
          ['PATCH', '/contents'],
          ['POST', `/contents/${id}`],
          ['PUT', `/contents/${id}/publish`],
        ] as const) {
          expectNoOperation(await contentRequest(tenant, method, path, { json }));
        }
      });
    },
  },
  {
    name: 'while restore is unavailable, the six existing operations work',
    clauses: ['what-the-service-does/bullet-6'],
    needs: 'control',
    async run(tenant) {
      const { authorRef } = tenant;
      await withRestoreSet(tenant, { available: false }, async () => {
        const id = await createdContent(tenant);
        expectSuccess(await contentRequest(tenant, 'GET', '/contents'));
        expectSuccess(await contentRequest(tenant, 'GET', `/contents/${id}`));
        expectSuccess(await sendWrite(tenant, UPDATE, id, { authorRef }));
        expectSuccess(await sendWrite(tenant, PUBLISH, await tenant.contentIn('ready'), { authorRef }));
        expectSuccess(await sendWrite(tenant, DELETE, id, { authorRef }));
      });
    },
  },
];

function expectNoOperation(answer: HttpAnswer): void {
  expectStatus(answer, 404, 405);
}
