import { must, ViolationError } from './check';
import { type HttpAnswer } from './https-requests';
import { type ExaminedTenant, type Interface } from './tenant';

/** Options of a content request. Header names are in lower case. */
export interface ContentRequest {
  /** Scope of the token; null for no token. @default `api/read` for GET, otherwise `api/write` */
  readonly scope?: string | null;
  /** Sent as `application/json`. */
  readonly json?: unknown;
  /** Override the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as is. */
  readonly body?: string;
}

/** @param path relative to the content base, such as `/contents` */
export async function contentRequest(
  tenant: ExaminedTenant,
  method: string,
  path: string,
  { scope = method === 'GET' ? 'api/read' : 'api/write', json, headers, body }: ContentRequest = {},
): Promise<HttpAnswer> {
  const sendsNoToken = scope === null || headers?.authorization !== undefined;
  return tenant.send({
    method,
    url: tenant.addresses.contentBaseUrl + path,
    headers: {
      ...(sendsNoToken ? {} : { authorization: `Bearer ${await tenant.token(scope)}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: json === undefined ? body : JSON.stringify(json),
  });
}

/**
 * Requests a token with the narrowest scope for the tenant's credential.
 * @param change replaces fields of the body; undefined removes a field
 * @param where another tenant, or other addresses
 */
export function tokenRequest(
  tenant: ExaminedTenant,
  interfaceName: Interface = 'content',
  change: object = {},
  where: TokenAddress = tenant,
): Promise<HttpAnswer> {
  return tenant.send({
    method: 'POST',
    url: tokenUrl(where, interfaceName),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...tokenFields(tenant, interfaceName), ...change }),
  });
}

/** The fields of a token request with the narrowest scope. */
export function tokenFields({ credential }: ExaminedTenant, interfaceName: Interface) {
  return {
    scope: interfaceName === 'content' ? 'api/read' : 'api/webhooks',
    grant_type: 'client_credentials',
    client_id: credential.clientId,
    client_secret: credential.clientSecret,
  };
}

/** Requests an access token with this scope. @throws {ViolationError} if the platform issues none */
export async function requestedToken(
  tenant: ExaminedTenant,
  interfaceName: Interface,
  scope: string,
): Promise<string> {
  const answer = await tokenRequest(tenant, interfaceName, { scope });
  expectSuccess(answer);
  const { access_token: token } = objectOf(answer);
  must(
    typeof token === 'string' && /^[\x21-\x7e]+$/.test(token),
    'the token response has no access_token that fits in a header',
  );
  return token;
}

type TokenAddress = Pick<ExaminedTenant, 'addresses' | 'tenantId'>;

export function tokenUrl({ addresses, tenantId }: TokenAddress, interfaceName: Interface): string {
  const base = interfaceName === 'content' ? addresses.contentTokenBaseUrl : addresses.webhooksTokenBaseUrl;
  return `${base}/oauth2/token/${tenantId}`;
}

/** Sends `GET /contents` with this Authorization header. */
export function readWith(tenant: ExaminedTenant, authorization: string): Promise<HttpAnswer> {
  return contentRequest(tenant, 'GET', '/contents', { headers: { authorization } });
}

/** Sends `GET` to the webhooks base. The specification shows no operations below it. */
export function webhooksRequest(tenant: ExaminedTenant, authorization?: string): Promise<HttpAnswer> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  return tenant.send({ method: 'GET', url: tenant.addresses.webhooksBaseUrl, headers });
}

/** The Authorization header of Basic authentication. @see RFC 7617 */
export function basic(tenantId: string, apiKey: string): string {
  return `Basic ${Buffer.from(`${tenantId}:${apiKey}`).toString('base64')}`;
}

/** @throws {ViolationError} for 401, 403 and 5xx */
export function expectPermitted({ status }: HttpAnswer): void {
  must(status !== 401 && status !== 403 && status < 500, `answered ${status}, but should allow the request`);
}

/** @throws {ViolationError} unless the status is one of these */
export function expectStatus({ status }: HttpAnswer, ...allowed: readonly number[]): void {
  must(allowed.includes(status), `answered ${status} instead of ${allowed.join(' or ')}`);
}

/** @throws {ViolationError} unless the status is 2xx */
export function expectSuccess({ status }: HttpAnswer): void {
  must(status >= 200 && status < 300, `answered ${status} instead of 2xx`);
}

/** @throws {ViolationError} unless the status is 4xx */
export function expectRefusal({ status }: HttpAnswer): void {
  must(status >= 400 && status < 500, `answered ${status} instead of 4xx`);
}

/** @throws {ViolationError} if the body is not JSON */
export function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // The parser's own error would quote the body.
    throw new ViolationError('the answer is not JSON');
  }
}

/** @throws {ViolationError} if the body is not a JSON object */
export function objectOf(answer: HttpAnswer): Readonly<Record<string, unknown>> {
  const json = jsonOf(answer);
  must(isJsonObject(json), 'the answer is not a JSON object');
  return json;
}

/** Whether a JSON value is an object, and not an array or null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
