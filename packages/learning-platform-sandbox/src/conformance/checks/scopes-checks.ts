import { listedIds } from '../catalogue';
import { type Check } from '../check';
import { CREATE, DELETE, PUBLISH, sendWrite, UNKNOWN_CONTENT_ID, UPDATE } from '../content-writes';
import { type HttpAnswer } from '../https-requests';
import { contentRequest, expectPermitted, expectStatus, jsonOf, webhooksRequest } from '../requests';
import { type ExaminedTenant, type WritableTenant } from '../tenant';

/** Checks of what each scope allows. Writes address a content that does not exist, so nothing changes. */
export const SCOPE_CHECKS: readonly Check[] = [
  {
    name: 'a token with api/read lists contents and reads one',
    clauses: ['oauth-2-0-client-credentials/row-content-api-read'],
    needs: 'read',
    run: (tenant) => expectReads(tenant, 'api/read'),
  },
  {
    name: 'a token with api/read gets 403 for writes',
    clauses: ['oauth-2-0-client-credentials/row-content-api-read', 'oauth-2-0-client-credentials/rule-5'],
    needs: 'write',
    async run(tenant) {
      await forEachWrite(tenant, 'api/read', (answer) => expectStatus(answer, 403));
      expectStatus(await sendWrite(tenant, CREATE, '', { authorRef: tenant.authorRef }, 'api/read'), 403);
    },
  },
  {
    name: 'a token with api/write writes',
    clauses: ['oauth-2-0-client-credentials/row-content-api-write'],
    needs: 'write',
    run: (tenant) => forEachWrite(tenant, 'api/write', expectPermitted),
  },
  {
    name: 'a token with api/write gets 403 for reads',
    clauses: ['oauth-2-0-client-credentials/rule-5'],
    needs: 'read',
    async run(tenant) {
      const [id] = await listedIds(tenant);
      for (const path of ['/contents', ...(typeof id === 'string' ? [`/contents/${id}`] : [])]) {
        expectStatus(await contentRequest(tenant, 'GET', path, { scope: 'api/write' }), 403);
      }
    },
  },
  {
    name: 'a token with api/all reads',
    clauses: ['oauth-2-0-client-credentials/row-content-api-all'],
    needs: 'read',
    run: (tenant) => expectReads(tenant, 'api/all'),
  },
  {
    name: 'a token with api/all writes',
    clauses: ['oauth-2-0-client-credentials/row-content-api-all'],
    needs: 'write',
    run: (tenant) => forEachWrite(tenant, 'api/all', expectPermitted),
  },
  {
    name: 'a webhooks token with api/webhooks is accepted by the webhooks interface',
    clauses: ['oauth-2-0-client-credentials/row-webhooks-api-webhooks', 'events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/webhooks', 'webhooks');
      expectPermitted(await webhooksRequest(tenant, `Bearer ${token}`));
    },
  },
  {
    name: 'a webhooks token with api/all is accepted by the webhooks interface',
    clauses: ['oauth-2-0-client-credentials/row-webhooks-api-all', 'events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/all', 'webhooks');
      expectPermitted(await webhooksRequest(tenant, `Bearer ${token}`));
    },
  },
];

async function expectReads(tenant: ExaminedTenant, scope: string): Promise<void> {
  const answer = await contentRequest(tenant, 'GET', '/contents', { scope });
  expectStatus(answer, 200);
  const contents = jsonOf(answer);
  const [first] = Array.isArray(contents) ? (contents as { id?: unknown }[]) : [];
  if (typeof first?.id !== 'string') return;
  expectStatus(await contentRequest(tenant, 'GET', `/contents/${first.id}`, { scope }), 200);
}

async function forEachWrite(
  tenant: WritableTenant,
  scope: string,
  examine: (answer: HttpAnswer) => void,
): Promise<void> {
  const actingUser = { authorRef: tenant.authorRef };
  for (const write of [UPDATE, DELETE, PUBLISH])
    examine(await sendWrite(tenant, write, UNKNOWN_CONTENT_ID, actingUser, scope));
}
