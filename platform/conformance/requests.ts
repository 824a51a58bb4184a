import { must, ViolationError } from './check';
import { type HttpAnswer } from './https-requests';
import { type ExaminedTenant, type Interface } from './tenant';

/** What a request to the content interface is, where that is not the usual. Names of headers are in lower case. */
export interface ContentRequest {
  /** Of the token that is sent; null for none. @default `api/read` for a GET, else `api/write` */
  readonly scope?: string | null;
  /** Sent as `application/json`. */
  readonly json?: unknown;
  /** These go before the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it stands. */
  readonly body?: string;
}

/** @param path below the content interface's base, such as `/contents` */
export async function contentRequest(
  tenant: ExaminedTenant,
  method: string,
  path: string,
  { scope = method === 'GET' ? 'api/read' : 'api/write', json, headers, body }: ContentRequest = {},
): Promise<HttpAnswer> {
  const isGiven = scope === null || headers?.authorization !== undefined;
  return tenant.send({
    method,
    url: tenant.addresses.contentBaseUrl + path,
    headers: {
      ...(isGiven ? {} : { authorization: `Bearer ${await tenant.token(scope)}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
  });
}

/**
 * Asks for a token of the narrowest scope with the tenant's credential.
 * @param change replaces fields of the body; those that are undefined are left out
 * @param where another tenant, or other addresses
 */
export function tokenRequest(
  tenant: ExaminedTenant,
  of: Interface = 'content',
  change: object = {},
  where: TokenAddress = tenant,
): Promise<HttpAnswer> {
  const { clientId, clientSecret } = tenant.credential;
  const scope = of === 'content' ? 'api/read' : 'api/webhooks';
  return tenant.send({
    method: 'POST',
    url: tokenUrl(where, of),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      scope,
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...change,
    }),
  });
}

/** The access token that the platform gives for a scope. @throws {ViolationError} when it gives none */
export async function requestedToken(tenant: ExaminedTenant, of: Interface, scope: string): Promise<string> {
  const answer = await tokenRequest(tenant, of, { scope });
  expectSuccess(answer);
  const { access_token: token } = objectOf(answer);
  must(
    typeof token === 'string' && /^[\x21-\x7e]+$/.test(token),
    'the token answer has no access_token that a header can carry',
  );
  return token;
}

/** What the address of a token endpoint is made of. */
type TokenAddress = Pick<ExaminedTenant, 'addresses' | 'tenantId'>;

/** Where the tokens of an interface are asked for. */
export function tokenUrl({ addresses, tenantId }: TokenAddress, of: Interface): string {
  const base = of === 'content' ? addresses.contentTokenBaseUrl : addresses.webhooksTokenBaseUrl;
  return `${base}/oauth2/token/${tenantId}`;
}

/** `GET /contents` with that Authorization header. */
export function readWith(tenant: ExaminedTenant, authorization: string): Promise<HttpAnswer> {
  return contentRequest(tenant, 'GET', '/contents', { headers: { authorization } });
}

/** `GET` of the webhooks base itself, of which nothing else is shown, with that Authorization header or none. */
export function webhooksRequest(tenant: ExaminedTenant, authorization?: string): Promise<HttpAnswer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return tenant.send({ method: 'GET', url: tenant.addresses.webhooksBaseUrl, headers });
}

/** The Authorization header of Basic authentication. @see RFC 7617 */
export function basic(tenantId: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
}

/** @throws {ViolationError} for an answer that says that the request is not permitted */
export function expectPermitted({ status }: HttpAnswer): void {
  must(status !== 401 && status !== 403 && status < 500, `answered ${status} instead of permitting it`);
}

/** @throws {ViolationError} unless the answer has one of the statuses */
export function expectStatus({ status }: HttpAnswer, ...allowed: readonly number[]): void {
  must(allowed.includes(status), `answered ${status} instead of ${allowed.join(' or ')}`);
}

/** @throws {ViolationError} for a status that is no success */
export function expectSuccess({ status }: HttpAnswer): void {
  must(status >= 200 && status < 300, `answered ${status} instead of a success`);
}

/** @throws {ViolationError} for a status that does not refuse the request */
export function expectRefusal({ status }: HttpAnswer): void {
  must(status >= 400 && status < 500, `answered ${status} instead of a refusal`);
}

/** @throws {ViolationError} for what is not JSON */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not the parser's own error, which quotes the body.
    throw new ViolationError('the answer is not JSON');
  }
}

/** @throws {ViolationError} for what is no JSON object */
export function objectOf(answer: HttpAnswer): Readonly<Record<string, unknown>> {
  const json = jsonOf(answer);
  must(isJsonObject(json), 'the answer is not a JSON object');
  return json;
}

/** Whether a value of JSON is an object, neither a list nor null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
