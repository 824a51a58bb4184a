import { CloudWatchLogsClient, FilterLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';

import { isSameContent } from '../../core/restore/content-id';
import {
  parseRestoreRecord,
  referenceDigest,
  RESTORE_LOG_MESSAGE,
  type RestoreRecord,
} from '../../core/restore/restore-audit';
import { callAws } from '../call-aws';
import { type ChosenTenant } from '../system';

/** A request that reached the restore function. Fields that the log line lacks are undefined. */
export type HistoryEntry = RestoreRecord & { readonly time: string };

/** Which requests to find. */
export interface HistoryFilter {
  readonly sinceMs: number;
  readonly contentId?: string;
  readonly authorRef?: string;
  readonly collaborationId?: string;
  /** `restored`, or a code of the restore API. */
  readonly outcome?: string;
  readonly traceId?: string;
}

/** The latest entries, the latest first, and how many there are in all. */
export interface History {
  readonly entries: readonly HistoryEntry[];
  readonly found: number;
}

/**
 * Searches the restore function's log for requests of one tenant. AWS returns the oldest first, so it reads to the end of the
 * log. The pattern has only the tenant: values of callers may contain wildcards, and ids of one content differ in case.
 * @param onPage called after each page with the number of entries found so far
 * @throws {CommandError}
 * @see https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilterLogEvents.html
 */
export async function readHistory(
  { deployment, tenant }: ChosenTenant,
  filter: HistoryFilter,
  limit: number,
  interrupted: AbortSignal,
  onPage: (found: number) => void,
): Promise<History> {
  const { logGroupName, clientConfig } = await deployment.restoreLogs();
  const client = new CloudWatchLogsClient(clientConfig);
  const call = { action: 'logs:FilterLogEvents', resource: logGroupName, deployment, interrupted };
  const latest: HistoryEntry[] = [];
  let found = 0;
  let nextToken: string | undefined;
  do {
    const page = await callAws(call, (options) =>
      client.send(
        new FilterLogEventsCommand({
          logGroupName,
          startTime: filter.sinceMs,
          filterPattern: `{ ($.message = "${RESTORE_LOG_MESSAGE}") && ($.tenantId = "${tenant.tenantId}") }`,
          nextToken,
        }),
        options,
      ),
    );
    for (const { timestamp = 0, message = '' } of page.events ?? []) {
      const entry = entryOf(timestamp, message);
      if (entry === undefined || !isWanted(entry, filter)) continue;
      found += 1;
      latest.push(entry);
      if (latest.length > limit) latest.shift();
    }
    onPage(found);
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
  return { entries: latest.toReversed(), found };
}

function entryOf(timestampMs: number, message: string): HistoryEntry | undefined {
  const record = parseRestoreRecord(message);
  return record && { time: new Date(timestampMs).toISOString(), ...record };
}

function isWanted(
  entry: HistoryEntry,
  { contentId, authorRef, collaborationId, outcome, traceId }: HistoryFilter,
): boolean {
  return (
    (contentId === undefined || isSameContent(entry.contentId ?? '', contentId)) &&
    matchesReference(entry.authorRef, authorRef) &&
    matchesReference(entry.collaborationId, collaborationId) &&
    (outcome === undefined || entry.code === outcome) &&
    (traceId === undefined || entry.traceId === traceId)
  );
}

/** In place of a reference that the platform did not accept, the log has its digest. */
function matchesReference(logged: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || logged === wanted || logged === referenceDigest(wanted);
}
