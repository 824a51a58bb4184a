import { contentKey, isContentId } from '../../contract/content-id';
import { parseJsonObject } from '../../contract/json-object';
import { type TenantKey } from '../../contract/token-key';
import { usageError } from '../command-error';
import { showFile } from '../safe-text';
import { isSameUser, type RestoreItem } from './item';
import { type FailureCode, isFailureCode } from './outcome-kinds';

/** What all results of one file have in common: whose contents are restored, and through which API. */
export interface RunKey extends TenantKey {
  /** Address of the restore API. */
  readonly api: string;
}

/** What became of one content: a line of the results. */
export interface ResultLine extends RunKey {
  readonly contentId: string;
  readonly outcome: 'restored' | FailureCode;
  readonly status?: number;
  readonly requestId?: string;
  /** When: ISO 8601, UTC. */
  readonly at: string;
  readonly detail?: string;
  /** Of a restored content: how many of its items could not be processed, where there are any. */
  readonly itemsInError?: number;
  /** How many requests have been sent for the content, this one included. */
  readonly attempt: number;
  readonly authorRef?: string;
  readonly collaborationId?: string;
}

const RUN_FIELDS = ['environment', 'platformRegion', 'tenantId', 'api'] as const;
const OTHER_RESULTS =
  'name other results with --results: then all is sent, also what may have been restored.';
/** What a line begins with, as it is written: no other file is taken for one of results that was cut off. */
const BEGINNING = '{"contentId":"';

/**
 * Reads results by content, of which the last holds. A last line that was cut off, as when the process was killed
 * while it wrote, counts as none.
 * @throws {CommandError} usage, where the file is something else
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
  if (!last.startsWith(BEGINNING) && !BEGINNING.startsWith(last)) throw notResults(file, lines.length + 1);
  return results;
}

/**
 * Refuses results that are of another tenant, deployment or author.
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
      `${allowed}, as this run has it`,
      what === 'api'
        ? `Where only its address has changed, write the new one into the results. Otherwise ${OTHER_RESULTS}`
        : `Results are of one run: give it the flags that it had, or ${OTHER_RESULTS}`,
    );
  for (const result of results.values()) {
    const field = RUN_FIELDS.find((each) => result[each] !== run[each]);
    if (field !== undefined) throw refuse(field, result[field], run[field]);
  }
  for (const { contentId, actingUser } of items) {
    const result = results.get(contentKey(contentId));
    if (result !== undefined && !isSameUser(result, actingUser)) {
      throw refuse('author and collaboration', `others for content ${contentId}`, 'the same');
    }
  }
}

/** As a line is written, its content first. */
export function resultText(result: ResultLine): string {
  const { contentId, ...rest } = result;
  return JSON.stringify({ contentId, ...rest });
}

function parseLine(line: string): ResultLine | undefined {
  const value: Partial<ResultLine> | undefined = parseJsonObject(line);
  if (value === undefined) return undefined;
  const { contentId, outcome, at, attempt, itemsInError } = value;
  const isWhole =
    isContentId(contentId) &&
    (outcome === 'restored' || isFailureCode(outcome)) &&
    typeof at === 'string' &&
    Number.isInteger(attempt) &&
    (itemsInError === undefined || (Number.isInteger(itemsInError) && itemsInError > 0)) &&
    RUN_FIELDS.every((field) => typeof value[field] === 'string');
  return isWhole ? (value as ResultLine) : undefined;
}

function notResults(file: string, line: number) {
  return usageError(
    'results',
    `no result in line ${line} of ${showFile(file)}`,
    'a file that this command has written, or none',
    `Nothing was sent, and the file is as it was. Mend that line, or ${OTHER_RESULTS}`,
  );
}
