/** The operations of the content interface. @see platform specification, "Endpoints" 3 and 4 */
export const CONTENT_OPERATIONS = [
  'create',
  'update',
  'delete',
  'publish',
  'list',
  'get',
  'archive',
  'restore',
] as const;
/** The name of an operation of the content interface. */
export type ContentOperation = (typeof CONTENT_OPERATIONS)[number];

/** Method and path of an operation. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the interface's base. Braces mark a path parameter. */
  readonly path: string;
}

/** The routes of the content interface. Those of archive and restore are assumed. */
export const CONTENT_ROUTES: Readonly<Record<ContentOperation, Route>> = {
  create: { method: 'POST', path: '/contents' },
  update: { method: 'PATCH', path: '/contents/{id}' },
  delete: { method: 'DELETE', path: '/contents/{id}' },
  publish: { method: 'POST', path: '/contents/{id}/publish' },
  list: { method: 'GET', path: '/contents' },
  get: { method: 'GET', path: '/contents/{id}' },
  archive: { method: 'POST', path: '/contents/{id}/archive' },
  restore: { method: 'POST', path: '/contents/{id}/restore' },
};

const CONTENT_PATTERNS = CONTENT_OPERATIONS.map((operation) => {
  const { method, path } = CONTENT_ROUTES[operation];
  return { operation, method, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) };
});

/** Relative to a token base. @see platform specification, "1. Request an access token" */
export const TOKEN_ROUTE: Route = { method: 'POST', path: '/oauth2/token/{tenantId}' };
/** Relative to the tenant service's base. @see platform specification, "2. Generate a permanent API key" */
export const KEY_GENERATION_ROUTE: Route = { method: 'POST', path: '/tenants' };

/** The content operation with this method and path (relative to the base), if any. */
export function contentOperationOf(method: string, path: string): ContentOperation | undefined {
  return CONTENT_PATTERNS.find((route) => route.method === method && route.pattern.test(path))?.operation;
}

/** The path in Hono's syntax: `/contents/:id`. */
export function routerPath({ path }: Route): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
