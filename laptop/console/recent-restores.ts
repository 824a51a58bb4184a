import { parseJsonObject } from '../../core/json/json-object';
import { type DeploymentKey } from '../../core/tokens/token-key';
import { PROBLEMS } from '../../core/restore/restore-outcomes';
import { parseRestoreRecord, type RestoreRecord } from '../../core/restore/restore-audit';
import { RESTORE_PATH } from '../../core/restore/restore-operation';
import { type Account, type LogEvent, type RestApis } from 'cdk-on-loopback';
import { type RestoreView } from './console-state';
import { shownContentId } from './shown-path';

/** How many of a function's last log lines to search for the outcome of a request. */
const SEARCHED_LINES = 500;

/** The fields that say who asked for a restore. */
const AUDIT_FIELDS = [
  'scheme',
  'caller',
  'callerVersion',
  'authorRef',
  'collaborationId',
  'traceId',
] as const satisfies (keyof RestoreRecord & keyof RestoreView)[];

/** Where the requests to a deployment's restore API are logged. */
export interface RestoreLogs {
  deploymentKey: DeploymentKey;
  tenantIds: readonly string[];
  /** Log group of API Gateway. */
  accessLogGroup: string;
  /** Log group of the restore function. */
  functionLogGroup: string | undefined;
}

/** The access log group of the stage at a URL. */
export function accessLogGroupAt(restoreApiUrl: string, { byId }: RestApis): string | undefined {
  const [, apiId = '', stageName = ''] = new URL(restoreApiUrl).pathname.split('/');
  return byId.get(apiId)?.stages.get(stageName)?.accessLog?.logGroupName;
}

/** The last `limit` restore requests over all deployments, latest first. */
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
  const records = recordsByRequest(logGroups.get(functionLogGroup ?? '')?.events ?? []);
  return (logGroups.get(accessLogGroup)?.events ?? []).slice(-limit).flatMap(({ timestampMs, message }) => {
    const line = fieldsOf(message);
    if (line?.resourcePath !== RESTORE_PATH) return [];
    const [tenantId, contentId] =
      /\/tenants\/([^/]+)\/contents\/([^/]+)\//.exec(line.path ?? '')?.slice(1) ?? [];
    const shownContent = shownContentId(contentId ?? '');
    const { requestId, errorType, responseLatency = '' } = line;
    const record = records.get(requestId ?? '') ?? {};
    const code = Object.keys(PROBLEMS).find((each) => each === record.code) ?? gatewayCode(errorType);
    return [
      {
        ...deploymentKey,
        atMs: timestampMs,
        status: Number(line.status),
        ...(tenantId !== undefined && tenantIds.includes(tenantId) && { tenantId }),
        ...(shownContent !== undefined && { contentId: shownContent }),
        ...(code !== undefined && { code }),
        ...(/^\d+$/.test(responseLatency) && { durationMs: Number(responseLatency) }),
        ...(requestId !== undefined && { requestId }),
        ...auditOf(record),
      },
    ];
  });
}

/** The restore function's lines, by API Gateway's request id. */
function recordsByRequest(events: readonly LogEvent[]): Map<string, RestoreRecord> {
  return new Map(
    events.slice(-SEARCHED_LINES).flatMap(({ message }) => {
      const record = message.startsWith('{') ? parseRestoreRecord(message) : undefined;
      return record?.apiRequestId === undefined ? [] : [[record.apiRequestId, record] as const];
    }),
  );
}

/** The restore function has checked the form of these fields, and logs an acting user only if the platform accepted it. */
function auditOf(record: RestoreRecord): Partial<RestoreView> {
  return Object.fromEntries(
    AUDIT_FIELDS.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])),
  );
}

/** The code of a request that API Gateway itself refused, for example `unauthorized`. */
function gatewayCode(errorType: string | undefined): string | undefined {
  return /^[A-Z0-9_]{2,40}$/.test(errorType ?? '') ? errorType?.toLowerCase() : undefined;
}

/** The text fields of a log line; undefined if the line is not a JSON object. */
function fieldsOf(message: string): Partial<Record<string, string>> | undefined {
  // Checking the first character is cheaper than catching an exception, and most lines are not JSON.
  const fields = message.startsWith('{') ? parseJsonObject(message) : undefined;
  return (
    fields &&
    Object.fromEntries(
      Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  );
}
