import { basic, MUTATION, TENANT } from '../platform-under-test';

/** The credentials of a tenant's client. */
export type Secrets = Readonly<
  Record<
    | 'clientId'
    | 'clientSecret'
    | 'accessToken'
    | 'webhooksToken'
    | 'apiKey'
    | 'authorization'
    | 'correlationId',
    string
  >
>;

/** A valid request, to be changed. */
export interface RightRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: object;
}

const DEPLOYMENT_KEY = '/staging/mea';
const UNKNOWN_ID = '0123456789abcdef01234567';

/**
 * One request for each operation at each address, including control. None revokes one of the secrets, and a reset undoes
 * their changes.
 */
export function rightRequests(secrets: Secrets, contentId: string, authorRef: string): RightRequest[] {
  const json = ['Content-Type', 'application/json'] as const;
  const bearer = ['Authorization', `Bearer ${secrets.accessToken}`] as const;
  const hooks = ['Authorization', `Bearer ${secrets.webhooksToken}`] as const;
  const keyed = ['Authorization', basic(TENANT.tenantId, secrets.apiKey).authorization] as const;
  const session = [
    ['Authorization', secrets.authorization],
    ['Correlation-id', secrets.correlationId],
    json,
  ] as const;
  const items = [{ type: 'file', summary: 'Handbook' }];
  const tokenRequest = {
    scope: 'api/read',
    grant_type: 'client_credentials',
    client_id: secrets.clientId,
    client_secret: secrets.clientSecret,
  };
  const content = `${DEPLOYMENT_KEY}/rest/v1/contents`;
  const write = (method: string, path: string, body: object): RightRequest => ({
    method,
    path,
    body: { authorRef, ...body },
    headers: [bearer, json],
  });
  const control = (method: string, path: string, body?: object): RightRequest => ({
    method,
    path: `/_sandbox${path}`,
    headers: [json],
    ...(body && { body }),
  });
  const match = { environment: 'staging', tenantId: TENANT.tenantId };

  return [
    ...['auth', 'webhooks-auth'].map((base) => ({
      method: 'POST',
      path: `${DEPLOYMENT_KEY}/${base}/oauth2/token/${TENANT.tenantId}`,
      headers: [json],
      body: tokenRequest,
    })),
    { method: 'POST', path: '/tenant-service/staging/tenants', headers: session, body: { query: MUTATION } },
    { method: 'GET', path: `${DEPLOYMENT_KEY}/webhooks/v1`, headers: [hooks] },
    { method: 'GET', path: `${content}?statuses=created,archived`, headers: [keyed] },
    { method: 'GET', path: `${content}/${contentId}`, headers: [bearer] },
    write('POST', content, { title: 'Safety', description: '', tags: ['a'], type: 'course', items }),
    write('PATCH', `${content}/${contentId}`, { title: 'Safety', items }),
    write('POST', `${content}/${contentId}/publish`, {}),
    write('POST', `${content}/${contentId}/archive`, {}),
    write('POST', `${content}/${contentId}/restore`, {}),
    write('DELETE', `${content}/${UNKNOWN_ID}`, {}),
    control('POST', '/faults', {
      target: 'content',
      match,
      status: 503,
      headers: { 'retry-after': '1' },
      times: 1,
    }),
    control('POST', '/faults', {
      target: 'token',
      body: { access_token: 1 },
      probability: 0.5,
      seed: 1,
      times: 1,
    }),
    control('GET', '/faults'),
    control('POST', '/clock', { advanceSec: 1 }),
    control('POST', '/credentials', TENANT),
    control('DELETE', '/credentials', { clientId: 'unknown' }),
    control('POST', '/sessions', { ...TENANT, administrator: false, validForSec: 60 }),
    control('DELETE', '/sessions', { authorization: 'unknown' }),
    control('POST', '/api-keys', TENANT),
    control('DELETE', '/api-keys', { apiKey: 'unknown' }),
    control('DELETE', '/tokens', { accessToken: 'unknown' }),
    control('POST', '/key-lag', { sec: 0 }),
    control('POST', '/processing', { startsAfterSec: 1, takesSec: 1 }),
    control('POST', '/item-failures', { match, reason: 'broken', times: 1 }),
    control('POST', '/restore', { available: true, actingUserIn: 'body' }),
    control('POST', '/tenants', { ...TENANT, authorRefs: ['a'], contents: [{ status: 'draft', items: [] }] }),
    control('POST', '/contents', { ...TENANT, status: 'draft', items: [{ status: 'pending' }] }),
    control('GET', `/contents/staging/mea/${TENANT.tenantId}/${contentId}`),
    ...['addresses', 'audit', 'counters', 'requests', 'tenants'].map((what) => control('GET', `/${what}`)),
    ...['interface', 'control'].map((what) => control('GET', `/openapi/${what}.json`)),
  ];
}
