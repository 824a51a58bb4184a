import { type TokenValue } from '../../../core/secrets/secret-values';
import { type HttpsAnswer } from './https-request';
import { basic, type Place, tokenArn } from './journeys';
import { type RunningSystem } from './running-system';

/** A call of the restore API. */
export interface RestoreCall {
  authorization?: string | string[];
  /**
   * Sent as it is, or an object as JSON.
   * @default the tenant's first author
   */
  body?: string | object;
  /**
   * Several values are sent as several headers.
   * @default application/json
   */
  contentType?: string | string[] | undefined;
}

/** A change of a content in the platform's audit trail. */
export interface Change {
  tenantId: string;
  contentId: string;
  operation: string;
  actingUser: string;
  owner: string;
}

/** The URL that restores a content of the place's tenant. */
export function restoreUrl({ deployment, tenant }: Place, contentId: string): string {
  return `${deployment.restoreApiUrl}/tenants/${tenant.tenantId}/contents/${contentId}/restore`;
}

/** Calls the restore API over HTTPS. */
export function callRestore(place: Place, contentId: string, call: RestoreCall): Promise<HttpsAnswer> {
  const { authorization, body = { authorRef: place.tenant.authorRefs[0] } } = call;
  const contentType = 'contentType' in call ? call.contentType : 'application/json';
  return place.system.send('POST', restoreUrl(place, contentId), {
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** The Authorization header of a caller with the tenant's API key. */
export async function basicOf({ system, tenant }: Place): Promise<string> {
  const { apiKey } = await system.secret<{ apiKey: string }>(tenant.apiKeyArn!);
  return basic(tenant, apiKey);
}

/** The Authorization header of a caller who has read the tenant's token. */
export async function bearerOf(place: Place, scope: string): Promise<string> {
  const { accessToken } = await place.system.secret<TokenValue>(tokenArn(place, scope));
  return `Bearer ${accessToken}`;
}

/** A number of requests that the platform answered alike. */
export interface CountedRequest {
  target: string;
  path: string;
  status: number;
  count: number;
}

/** The platform's request counts that match. */
export async function requestsTo(
  system: RunningSystem,
  isMeant: (request: CountedRequest) => boolean,
): Promise<CountedRequest[]> {
  const { requests } = await system.control<{ requests: CountedRequest[] }>('GET', '/counters');
  return requests.filter(isMeant);
}

export const totalOf = (requests: readonly CountedRequest[]): number =>
  requests.reduce((sum, { count }) => sum + count, 0);

async function counted(
  { system }: Place,
  isMeant: (request: CountedRequest) => boolean,
): Promise<Record<number, number>> {
  const requests = await requestsTo(system, isMeant);
  return Object.fromEntries(requests.map(({ status, count }) => [status, count]));
}

/** Requests for a content, by the platform's answer; 0 is a broken connection. */
export function platformAnswers(place: Place, contentId: string): Promise<Record<number, number>> {
  return counted(place, ({ target, path }) => target === 'content' && path.includes(`/${contentId}/`));
}

/** Requests for a token of the tenant, by the platform's answer. */
export function tokenAnswers(place: Place): Promise<Record<number, number>> {
  return counted(
    place,
    ({ target, path }) => target === 'token' && path.endsWith(`/${place.tenant.tenantId}`),
  );
}

/** The changes of a content that the platform has recorded. */
export async function changesOf({ system }: Place, contentId: string): Promise<Change[]> {
  const { changes } = await system.control<{ changes: Change[] }>('GET', '/audit');
  return changes.filter((change) => change.contentId === contentId);
}

/** Whether the content is still archived. */
export async function isArchived({ system, tenant }: Place, contentId: string): Promise<boolean> {
  const { tenants } = await system.control<{ tenants: { tenantId: string; archivedContentIds: string[] }[] }>(
    'GET',
    '/tenants',
  );
  return tenants.some(
    ({ tenantId, archivedContentIds }) =>
      tenantId === tenant.tenantId && archivedContentIds.includes(contentId),
  );
}

/** Makes the platform fail content requests for the place's tenant. */
export async function failContent({ system, tenant }: Place, fault: object): Promise<void> {
  await system.control('POST', '/faults', {
    target: 'content',
    match: { tenantId: tenant.tenantId },
    ...fault,
  });
}
