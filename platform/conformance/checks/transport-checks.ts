import { request } from 'node:http';
import { type Check, must } from '../check';
import { type HttpRequest } from '../https-requests';
import { tokenUrl } from '../requests';
import { type ExaminedTenant } from '../tenant';

/** How long an answer over plain HTTP is waited for: silence fails too. */
const PATIENCE_MS = 5_000;

/** That nothing is served over plain HTTP. Nothing secret is sent over it: an operation would refuse each of these requests. */
export const TRANSPORT_CHECKS: readonly Check[] = [
  {
    name: 'plain HTTP fails on the content and webhooks interfaces and the tenant service',
    clauses: ['common-rules/rule-1', 'limits/row-transport'],
    needs: 'read',
    async run(tenant) {
      const { contentBaseUrl, webhooksBaseUrl, tenantServiceUrl } = tenant.addresses;
      for (const url of [`${contentBaseUrl}/contents`, webhooksBaseUrl, `${tenantServiceUrl}/tenants`]) {
        await expectPlainFails(tenant, { method: 'GET', url });
      }
    },
  },
  {
    name: 'plain HTTP fails for token requests',
    clauses: ['common-rules/rule-1', 'limits/row-transport'],
    needs: 'read',
    async run(tenant) {
      const headers = { 'content-type': 'application/json', 'content-length': '2' };
      for (const of of ['content', 'webhooks'] as const) {
        await expectPlainFails(tenant, { method: 'POST', url: tokenUrl(tenant, of), headers, body: '{}' });
      }
    },
  },
];

/**
 * Without a credential every operation refuses, so that a status tells nothing by itself. A request that is answered as it
 * is over HTTPS was processed; a redirect, or a server's word that it speaks no plain HTTP, is a failure as the rule wants it.
 */
async function expectPlainFails({ send }: ExaminedTenant, asked: HttpRequest): Promise<void> {
  const plain = await sendPlain(asked);
  if (plain === undefined) return;
  const secure = await send(asked);
  const isSame = plain.status === secure.status && plain.contentType === secure.headers['content-type'];
  const { pathname } = new URL(asked.url);
  must(plain.status >= 300 && !isSame, `plain HTTP is served: ${asked.method} ${pathname}`);
}

/** What is answered over plain HTTP at the same host and port (80 where the address names none), if anything. */
function sendPlain({ method, url, headers, body }: HttpRequest) {
  return new Promise<{ status: number; contentType: string | undefined } | undefined>((resolve) => {
    const sent = request(
      url.replace(/^https:/, 'http:'),
      { method, headers, agent: false, timeout: PATIENCE_MS },
      (answer) => {
        answer.destroy();
        resolve({ status: answer.statusCode!, contentType: answer.headers['content-type'] });
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(undefined));
    sent.end(body);
  });
}
