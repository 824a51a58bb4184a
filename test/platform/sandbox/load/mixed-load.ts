import { basic, MUTATION, TENANT } from '../platform-under-test';

/** Sends one request. @returns its status and parsed JSON body */
export type Send = (
  method: string,
  path: string,
  options?: { headers?: Record<string, string>; json?: object },
) => Promise<{ status: number; body: unknown }>;

const DEPLOYMENT_KEY = '/staging/mea';
const CONTENTS = `${DEPLOYMENT_KEY}/rest/v1/contents`;
/** Large enough to show up in memory if it were kept. */
const DESCRIPTION = 'x'.repeat(4000);
/** How many deleted contents of a tenant the sandbox keeps. */
const REMEMBERED_DELETED = 1000;
/** Makes tokens expire as fast as new ones are issued. */
const ROUND_SEC = 60;

/**
 * Sends all kinds of requests that leave state behind: paths,
 * tokens, keys, sessions, contents, changes, faults. Checks the status of each.
 */
export class MixedLoad {
  /** How many requests were sent. */
  sent = 0;
  readonly #send: Send;
  #credential: object = {};
  #contentId = '';
  #author: { authorRef?: string } = {};
  #bearer: Record<string, string> = {};

  constructor(send: Send) {
    this.#send = send;
  }

  /** Call first. Issues a credential and creates a content. */
  async begin(): Promise<void> {
    const issued = await this.#expect(201, 'POST', '/_sandbox/credentials', TENANT);
    this.#credential = { client_id: issued.clientId, client_secret: issued.clientSecret };
    const { contentIds } = await this.#expect(201, 'POST', '/_sandbox/contents', TENANT);
    [this.#contentId] = contentIds as [string];
    const { tenants } = await this.#expect(200, 'GET', '/_sandbox/tenants');
    const [{ authorRefs }] = tenants as [{ authorRefs: [string] }];
    this.#author = { authorRef: authorRefs[0] };
    await this.#renewToken();
  }

  /** Fills the bounded collections with few requests: paths, sessions with keys, changes, deleted contents. */
  async fill(n: number): Promise<void> {
    if (n < REMEMBERED_DELETED) await this.#createAndDelete(n);
    await this.#expect(404, 'GET', `/staging/mea/auth/path-${n}`);
    await this.#generateKey();
    await this.#restoreAndArchive();
  }

  /** One round of all kinds of requests. */
  async round(n: number): Promise<void> {
    await this.#expect(200, 'POST', '/_sandbox/clock', { advanceSec: ROUND_SEC });
    await this.#renewToken();
    await this.#requestToken(401, { client_secret: 'wrong' });
    await this.#requestToken(400, { scope: DESCRIPTION });
    await this.#expect(200, 'GET', `${CONTENTS}?statuses=archived`);
    await this.#expect(404, 'GET', `${CONTENTS}/${DESCRIPTION}-${n}`);
    await this.#expect(401, 'GET', CONTENTS, undefined, { authorization: `Bearer unknown-${n}` });
    await this.#expect(401, 'GET', `${DEPLOYMENT_KEY}/webhooks/v1`);
    await this.#createAndDelete(n);
    await this.#restoreAndArchive();
    await this.#generateKey();
    const fault = { target: 'webhooks', status: 503, body: { text: DESCRIPTION }, times: 1 };
    await this.#expect(201, 'POST', '/_sandbox/faults', fault);
    await this.#expect(503, 'GET', `${DEPLOYMENT_KEY}/webhooks/v1`);
    await this.#expect(400, 'POST', '/_sandbox/faults', { ...fault, target: DESCRIPTION });
  }

  async #renewToken(): Promise<void> {
    const { access_token: token } = await this.#requestToken(200, {});
    this.#bearer = { authorization: `Bearer ${String(token)}` };
  }

  #requestToken(status: number, change: object) {
    return this.#expect(status, 'POST', `${DEPLOYMENT_KEY}/auth/oauth2/token/${TENANT.tenantId}`, {
      scope: 'api/all',
      grant_type: 'client_credentials',
      ...this.#credential,
      ...change,
    });
  }

  async #createAndDelete(n: number): Promise<void> {
    const course = { ...this.#author, title: `Course ${n}`, description: DESCRIPTION };
    const items = [{ type: 'file', summary: 'Handbook' }];
    const { id } = await this.#expect(201, 'POST', CONTENTS, { ...course, items });
    const path = `${CONTENTS}/${String(id)}`;
    await this.#expect(200, 'PATCH', path, { ...course, tags: ['a'] });
    await this.#expect(409, 'POST', `${path}/publish`, this.#author);
    await this.#expect(422, 'POST', CONTENTS, { ...course, items: [DESCRIPTION] });
    await this.#expect(204, 'DELETE', path, this.#author);
  }

  async #restoreAndArchive(): Promise<void> {
    await this.#expect(200, 'POST', `${CONTENTS}/${this.#contentId}/restore`, this.#author);
    await this.#expect(200, 'POST', `${CONTENTS}/${this.#contentId}/archive`, this.#author);
  }

  async #generateKey(): Promise<void> {
    const session = await this.#expect(201, 'POST', '/_sandbox/sessions', TENANT);
    const { data } = await this.#expect(
      200,
      'POST',
      '/tenant-service/staging/tenants',
      { query: MUTATION },
      { authorization: String(session.authorization), 'correlation-id': String(session.correlationId) },
    );
    const { apiKey } = (data as { generateApiKey: { apiKey: string } }).generateApiKey;
    await this.#expect(404, 'GET', `${CONTENTS}/unknown`, undefined, basic(TENANT.tenantId, apiKey));
  }

  /** @throws {Error} for any other status */
  async #expect(
    status: number,
    method: string,
    path: string,
    json?: object,
    headers = this.#bearer,
  ): Promise<Record<string, unknown>> {
    this.sent += 1;
    const answer = await this.#send(method, path, { headers, json });
    if (answer.status === status) return answer.body as Record<string, unknown>;
    throw new Error(`${method} ${path.slice(0, 80)} was answered with ${answer.status}, not ${status}`);
  }
}
