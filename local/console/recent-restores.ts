import { parseJsonObject } from '../../contract/json-object';
import { type DeploymentKey } from '../../contract/token-key';
import { PROBLEM_CODES } from '../../contract/problem';
import { type Account, type LogEvent } from '../account';
import { type RestApis } from '../api-gateway/rest-api';
import { type RestoreView } from './console-state';
import { shownContentId } from './shown-path';

/** So many of the last lines of a function's log are searched for what it said of a request. */
const SEARCHED_LINES = 500;
const ROUTE = '/tenants/{tenantId}/contents/{contentId}/restore';

/** Where the requests to one deployment's restore API are logged. */
export interface RestoreLogs {
  deploymentKey: DeploymentKey;
  tenantIds: readonly string[];
  /** Of API Gateway. */
  accessLogGroup: string;
  /** Of the restore function. */
  functionLogGroup: string | undefined;
}

/** The log group to which the stage at an address writes a line for each request. */
export function accessLogGroupAt(restoreApiUrl: string, { apis }: RestApis): string | undefined {
  const [, apiId = '', stageName = ''] = new URL(restoreApiUrl).pathname.split('/');
  return apis.get(apiId)?.stages.get(stageName)?.accessLog?.logGroupName;
}

/** The last `limit` requests to the route of each deployment, the latest first. */
export function recentRestores(account: Account, logs: readonly RestoreLogs[], limit: number): RestoreView[] {
  return logs
    .flatMap((each) => restoresOf(account, each, limit))
    .sort((a, b) => b.atMs - a.atMs)
    .slice(0, limit);
}

function restoresOf(
  { logGroups }: Account,
  { deploymentKey, tenantIds, accessLogGroup, functionLogGroup }: RestoreLogs,
  limit: number,
): RestoreView[] {
  const codes = codesByRequest(logGroups.get(functionLogGroup ?? '')?.events ?? []);
  return (logGroups.get(accessLogGroup)?.events ?? []).slice(-limit).flatMap(({ timestampMs, message }) => {
    const line = fieldsOf(message);
    if (line?.resourcePath !== ROUTE) return [];
    const [tenantId, contentId] =
      /\/tenants\/([^/]+)\/contents\/([^/]+)\//.exec(line.path ?? '')?.slice(1) ?? [];
    const shownContent = shownContentId(contentId ?? '');
    const code = codes.get(line.requestId ?? '') ?? gatewayCode(line.errorType);
    return [
      {
        ...{ environment: deploymentKey.environment, platformRegion: deploymentKey.platformRegion },
        atMs: timestampMs,
        status: Number(line.status),
        ...(tenantId !== undefined && tenantIds.includes(tenantId) && { tenantId }),
        ...(shownContent !== undefined && { contentId: shownContent }),
        ...(code !== undefined && { code }),
      },
    ];
  });
}

/** What the restore function answered, by API Gateway's id of the request. */
function codesByRequest(events: readonly LogEvent[]): Map<string, string> {
  return new Map(
    events.slice(-SEARCHED_LINES).flatMap(({ message }) => {
      const { apiRequestId, code } = fieldsOf(message) ?? {};
      const known = PROBLEM_CODES.find((each) => each === code);
      return apiRequestId === undefined || known === undefined ? [] : [[apiRequestId, known] as const];
    }),
  );
}

/** Why API Gateway itself refused a request, such as `unauthorized`. */
function gatewayCode(errorType: string | undefined): string | undefined {
  return /^[A-Z0-9_]{2,40}$/.test(errorType ?? '') ? errorType?.toLowerCase() : undefined;
}

/** The fields of a log line; undefined for a line that is no JSON object. */
function fieldsOf(message: string): Partial<Record<string, string>> | undefined {
  // Most lines are not JSON, and an exception costs more than a look at the first character.
  const fields = message.startsWith('{') ? parseJsonObject(message) : undefined;
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  );
}
