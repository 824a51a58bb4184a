import { contentKey, isContentId } from '../../contract/content-id';
import { parseJsonObject } from '../../contract/json-object';
import { type TenantKey } from '../../contract/token-key';
import { usageError } from '../command-error';
import { showFile } from '../safe-text';
import { isSameUser, type RestoreItem } from './item';
import { type FailureCode, isFailureCode } from './outcome-kinds';

/** What all results of one file share: the tenant and the restore API. */
export interface RunKey extends TenantKey {
  /** Address of the restore API. */
  readonly api: string;
}

/** The result of one content: a line of the results file. */
export interface ResultLine extends RunKey {
  readonly contentId: string;
  readonly outcome: 'restored' | FailureCode;
  readonly status?: number;
  readonly requestId?: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly detail?: string;
  /** For a restored content: its status, if that is not `published`. */
  readonly recordStatus?: string;
  /** For a restored content: how many of its items the platform failed to process, if any. */
  readonly itemsInError?: number;
  /** How many requests were sent for the content, including this one. */
  readonly attempt: number;
  readonly authorRef?: string;
  readonly collaborationId?: string;
}

const RUN_FIELDS = ['environment', 'platformRegion', 'tenantId', 'api'] as const;
const OTHER_RESULTS =
  'use another file with --results: then everything is sent, even contents that may have been restored.';
/** Start of every line, which tells a truncated results file from any other file. */
const LINE_START = '{"contentId":"';

/**
 * Parses results by content; the last one of a content counts. Ignores a truncated last line, which a killed process
 * leaves behind.
 * @throws {CommandError} usage, if it is not a results file
 */
export function parseResultLines(text: string, file: string): Map<string, ResultLine> {
  const lines = text.split('\n');
  const last = lines.pop()!;
  const results = new Map<string, ResultLine>();
  for (const [index, line] of lines.entries()) {
    const result = parseLine(line);
    if (result === undefined) throw notResults(file, index + 1);
    results.set(contentKey(result.contentId), result);
  }
  if (!last.startsWith(LINE_START) && !LINE_START.startsWith(last)) throw notResults(file, lines.length + 1);
  return results;
}

/**
 * Refuses results of another tenant, deployment or author.
 * @throws {CommandError} usage, naming what differs
 */
export function checkSameRun(
  results: ReadonlyMap<string, ResultLine>,
  run: RunKey,
  items: readonly RestoreItem[],
  file: string,
): void {
  const refuse = (what: string, found: string, allowed: string) =>
    usageError(
      what,
      `${found} in the results ${showFile(file)}`,
      `${allowed}, as in this run`,
      what === 'api'
        ? `If only the address has changed, write the new one into the results. Otherwise, ${OTHER_RESULTS}`
        : `Results belong to one run: use its flags, or ${OTHER_RESULTS}`,
    );
  for (const result of results.values()) {
    const field = RUN_FIELDS.find((each) => result[each] !== run[each]);
    if (field !== undefined) throw refuse(field, result[field], run[field]);
  }
  for (const { contentId, actingUser } of items) {
    const result = results.get(contentKey(contentId));
    if (result !== undefined && !isSameUser(result, actingUser)) {
      throw refuse('author and collaboration', `different ones for content ${contentId}`, 'the same');
    }
  }
}

/** A result as a line, with its content id first. */
export function resultText(result: ResultLine): string {
  const { contentId, ...rest } = result;
  return JSON.stringify({ contentId, ...rest });
}

function parseLine(line: string): ResultLine | undefined {
  const value: Partial<ResultLine> | undefined = parseJsonObject(line);
  if (value === undefined) return undefined;
  const { contentId, outcome, at, attempt, itemsInError, recordStatus } = value;
  const isWhole =
    isContentId(contentId) &&
    (outcome === 'restored' || isFailureCode(outcome)) &&
    typeof at === 'string' &&
    Number.isInteger(attempt) &&
    (itemsInError === undefined || (Number.isInteger(itemsInError) && itemsInError > 0)) &&
    (recordStatus === undefined || typeof recordStatus === 'string') &&
    RUN_FIELDS.every((field) => typeof value[field] === 'string');
  return isWhole ? (value as ResultLine) : undefined;
}

function notResults(file: string, line: number) {
  return usageError(
    'results',
    `no result in line ${line} of ${showFile(file)}`,
    'a file that this command wrote, or none',
    `Nothing was sent, and the file is unchanged. Fix that line, or ${OTHER_RESULTS}`,
  );
}
