import { type HttpRequest } from '../../../src/conformance/https-requests';
import { type DeploymentKey } from '../../../src/testing/sandbox-tenant';

/** Selects requests. */
export type Asks = (asked: HttpRequest) => boolean;

const asks =
  (method: string, path: string): Asks =>
  (asked) =>
    asked.method === method && new RegExp(`${path}$`).test(pathOf(asked));
const ofContents = (method: string, path = '') => asks(method, `/rest/v1/contents${path}`);

/** The operations of the platform. @see specification, "Endpoints" */
export const TOKEN = asks('POST', '/oauth2/token/[^/]+');
export const GENERATE_KEY = asks('POST', '^/tenant-service/[^/]+/tenants');
export const WEBHOOKS = asks('GET', '/webhooks/v1');
export const LIST = ofContents('GET');
export const GET = ofContents('GET', '/[^/]+');
export const CREATE = ofContents('POST');
export const UPDATE = ofContents('PATCH', '/[^/]+');
export const DELETE = ofContents('DELETE', '/[^/]+');
export const ARCHIVE = ofContents('POST', '/[^/]+/archive');
export const RESTORE = ofContents('POST', '/[^/]+/restore');

/** Any request to the content interface. */
export const CONTENT: Asks = (asked) => pathOf(asked).includes('/rest/v1/contents');
export const READ = both(CONTENT, ({ method }) => method === 'GET');
export const WRITE = both(CONTENT, ({ method }) => method !== 'GET');

/** Requests to one control operation. */
export const control = (method: string, path: string) => asks(method, `^/_sandbox/${path}`);

/** With Basic authentication. */
export const BASIC: Asks = ({ headers }) => /^basic /i.test(headers?.authorization ?? '');
/** With a Bearer token. */
export const BEARER: Asks = ({ headers }) => /^bearer /i.test(headers?.authorization ?? '');
/** Without an Authorization header. */
export const ANONYMOUS: Asks = ({ headers }) => headers?.authorization === undefined;

/** Requests that both selectors match. */
export function both(one: Asks, other: Asks): Asks {
  return (asked) => one(asked) && other(asked);
}

/** Requests that any selector matches. */
export function either(...kinds: readonly Asks[]): Asks {
  return (asked) => kinds.some((isOfKind) => isOfKind(asked));
}

/** The path of a request's URL. */
export function pathOf({ url }: HttpRequest): string {
  return new URL(url).pathname;
}

/** The same request with its path changed. */
export function withPath(asked: HttpRequest, change: (path: string) => string): HttpRequest {
  const url = new URL(asked.url);
  url.pathname = change(url.pathname);
  return { ...asked, url: url.href };
}

/** The deployment that a request is for. */
export function deploymentKeyOf(asked: HttpRequest): DeploymentKey {
  const [, environment, platformRegion] = pathOf(asked).split('/');
  return { environment, platformRegion } as DeploymentKey;
}
