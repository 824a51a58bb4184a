import { type TokenValue } from '../../../core/secrets/secret-values';
import { type HttpsAnswer } from '../../support/restore-api/https-request';
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
interface Change {
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
interface CountedRequest {
  target: string;
  path: string;
  status: number;
  count: number;
}

/** The platform's request counts. */
async function requestCounts(system: RunningSystem): Promise<CountedRequest[]> {
  return (await system.control<{ requests: CountedRequest[] }>('GET', '/counters')).requests;
}

/** How many requests for a path of the content interface the platform has got. */
export async function contentRequests(system: RunningSystem, end: string): Promise<number> {
  const requests = await requestCounts(system);
  return requests
    .filter(({ target, path }) => target === 'content' && path.endsWith(end))
    .reduce((sum, { count }) => sum + count, 0);
}

/** Requests for a content, by the platform's answer; 0 is a broken connection. */
export async function platformAnswers({ system }: Place, contentId: string): Promise<Record<number, number>> {
  const requests = await requestCounts(system);
  const ofContent = requests.filter(
    ({ target, path }) => target === 'content' && path.includes(`/${contentId}/`),
  );
  return Object.fromEntries(ofContent.map(({ status, count }) => [status, count]));
}

/** The changes of a content that the platform has recorded. */
export async function changesOf({ system }: Place, contentId: string): Promise<Change[]> {
  const { changes } = await system.control<{ changes: Change[] }>('GET', '/audit');
  return changes.filter((change) => change.contentId === contentId);
}

/** Makes the platform fail content requests for the place's tenant. */
export async function failContent({ system, tenant }: Place, fault: object): Promise<void> {
  await system.control('POST', '/faults', {
    target: 'content',
    match: { tenantId: tenant.tenantId },
    ...fault,
  });
}
