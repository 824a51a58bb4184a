import { request } from 'node:http';
import { type Check, must } from '../check';
import { type HttpRequest } from '../https-requests';
import { tokenUrl } from '../requests';
import { type ExaminedTenant } from '../tenant';

/** Plain HTTP has failed if nothing answers within this time. */
const TIMEOUT_MS = 5_000;

/** Nothing is served over plain HTTP. The requests carry no secrets. */
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
      for (const interfaceName of ['content', 'webhooks'] as const) {
        await expectPlainFails(tenant, {
          method: 'POST',
          url: tokenUrl(tenant, interfaceName),
          headers,
          body: '{}',
        });
      }
    },
  },
];

/**
 * Compares the answers over HTTP and HTTPS, because without credentials every operation refuses anyway. Equal answers mean that
 * HTTP is served. A redirect, or an error that says that HTTP is not supported, conforms.
 */
async function expectPlainFails({ send }: ExaminedTenant, httpsRequest: HttpRequest): Promise<void> {
  const plain = await sendPlain(httpsRequest);
  if (plain === undefined) return;
  const secure = await send(httpsRequest);
  const isSame = plain.status === secure.status && plain.contentType === secure.headers['content-type'];
  const { pathname } = new URL(httpsRequest.url);
  must(plain.status >= 300 && !isSame, `plain HTTP is served: ${httpsRequest.method} ${pathname}`);
}

/** The answer over plain HTTP from the same host and port (default: 80), if any. */
function sendPlain({ method, url, headers, body }: HttpRequest) {
  return new Promise<{ status: number; contentType: string | undefined } | undefined>((resolve) => {
    const sent = request(
      url.replace(/^https:/, 'http:'),
      { method, headers, agent: false, timeout: TIMEOUT_MS },
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
