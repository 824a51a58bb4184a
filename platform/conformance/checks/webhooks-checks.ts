import { type Check, must } from '../check';
import { basic, contentRequest, expectStatus, readWith, webhooksRequest } from '../requests';
import { type ExaminedTenant, NotExaminableError } from '../tenant';

/** Which of the two a token gets that is for something else is not shown. */
const DENIED = [401, 403];
const UNSERVED = [404, 405];

/** The webhooks interface: that it has addresses and tokens of its own. Its operations are not shown. */
export const WEBHOOKS_CHECKS: readonly Check[] = [
  {
    name: 'the webhooks interface has a base address and a token endpoint of its own',
    clauses: ['what-the-service-does/bullet-2', 'events/paragraph-1'],
    needs: 'read',
    async run({ addresses }) {
      const { contentBaseUrl, contentTokenBaseUrl, webhooksBaseUrl, webhooksTokenBaseUrl } = addresses;
      must(webhooksBaseUrl !== contentBaseUrl, 'both interfaces have one base address');
      must(webhooksTokenBaseUrl !== contentTokenBaseUrl, 'both interfaces have one token endpoint');
    },
  },
  {
    name: 'a token of the webhooks interface is refused by the content interface',
    clauses: ['what-the-service-does/bullet-2', 'oauth-2-0-client-credentials/rule-1'],
    needs: 'read',
    async run(tenant) {
      const token = await tenant.token('api/all', 'webhooks');
      expectStatus(await readWith(tenant, `Bearer ${token}`), ...DENIED);
    },
  },
  {
    name: 'a token of the content interface is refused by the webhooks interface',
    clauses: ['events/paragraph-1', 'oauth-2-0-client-credentials/rule-1'],
    needs: 'read',
    async run(tenant) {
      for (const scope of ['api/all', 'api/read', 'api/write']) {
        await expectDenied(tenant, `Bearer ${await tenant.token(scope)}`);
      }
    },
  },
  {
    name: 'a read of the content interface without a token is refused: 401',
    clauses: ['oauth-2-0-client-credentials/rule-2'],
    needs: 'read',
    async run(tenant) {
      expectStatus(await contentRequest(tenant, 'GET', '/contents', { scope: null }), 401);
      expectStatus(await contentRequest(tenant, 'GET', '/contents/unknown', { scope: null }), 401);
    },
  },
  {
    name: 'a request to the webhooks interface without a token is refused',
    clauses: ['oauth-2-0-client-credentials/rule-2', 'events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      await expectDenied(tenant);
      await expectDenied(tenant, 'Bearer not-a-token');
    },
  },
  {
    name: 'the webhooks interface takes tokens, and no Basic authentication',
    clauses: ['events/paragraph-1'],
    needs: 'read',
    async run(tenant) {
      await expectDenied(tenant, basic(tenant.tenantId, await tenant.apiKey()));
    },
  },
];

/** @throws {NotExaminableError} where nothing is served at the base, whoever asks: no operation of it is shown */
async function expectDenied(tenant: ExaminedTenant, authorization?: string): Promise<void> {
  const answer = await webhooksRequest(tenant, authorization);
  if (UNSERVED.includes(answer.status)) {
    throw new NotExaminableError(`GET of the webhooks base itself answers ${answer.status}`);
  }
  expectStatus(answer, ...DENIED);
}
