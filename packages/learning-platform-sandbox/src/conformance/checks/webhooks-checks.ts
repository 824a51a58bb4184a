import { type Check, must, NotExaminableError } from '../check';
import { basic, contentRequest, expectStatus, readWith, webhooksRequest } from '../requests';
import { type ExaminedTenant } from '../tenant';

/** The specification does not show which of the two a foreign token gets. */
const DENIED = [401, 403];
const UNSERVED = [404, 405];

/** The webhooks interface has its own addresses and tokens. The specification shows no operations. */
export const WEBHOOKS_CHECKS: readonly Check[] = [
  {
    name: 'the webhooks interface has its own base address and token endpoint',
    clauses: ['what-the-service-does/bullet-2', 'events/paragraph-1'],
    needs: 'read',
    async run({ addresses }) {
      const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl } = addresses;
      must(webhooksBaseUrl !== contentBaseUrl, 'both interfaces have the same base address');
      must(webhooksTokenBaseUrl !== contentTokenBaseUrl, 'both interfaces have the same token endpoint');
    },
  },
  {
    name: 'the content interface refuses tokens for the webhooks interface',
    clauses: ['what-the-service-does/bullet-2', 'oauth-2-0-client-credentials/rule-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/all', 'webhooks');
      expectStatus(await readWith(tenant, `Bearer ${token}`), ...DENIED);
    },
  },
  {
    name: 'the webhooks interface refuses tokens for the content interface',
    clauses: ['events/paragraph-1', 'oauth-2-0-client-credentials/rule-1'],
    needs: 'read',
    async run(tenant) {
      for (const scope of ['api/all', 'api/read', 'api/write']) {
        await expectDenied(tenant, `Bearer ${await tenant.token(scope)}`);
      }
    },
  },
  {
    name: 'a read of the content interface without a token gets 401',
    clauses: ['oauth-2-0-client-credentials/rule-2'],
    needs: 'read',
    async run(tenant) {
      expectStatus(await contentRequest(tenant, 'GET', '/contents', { scope: null }), 401);
      expectStatus(await contentRequest(tenant, 'GET', '/contents/unknown', { scope: null }), 401);
    },
  },
  {
    name: 'the webhooks interface refuses requests without a token',
    clauses: ['oauth-2-0-client-credentials/rule-2', 'events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      await expectDenied(tenant);
      await expectDenied(tenant, 'Bearer not-a-token');
    },
  },
  {
    name: 'the webhooks interface refuses Basic authentication',
    clauses: ['events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      await expectDenied(tenant, basic(tenant.tenantId, await tenant.apiKey()));
    },
  },
];

/** @throws {NotExaminableError} if the base itself serves nothing. The specification shows no operations */
async function expectDenied(tenant: ExaminedTenant, authorization?: string): Promise<void> {
  const answer = await webhooksRequest(tenant, authorization);
  if (UNSERVED.includes(answer.status)) {
    throw new NotExaminableError(`the webhooks base answers GET with ${answer.status}`);
  }
  expectStatus(answer, ...DENIED);
}
