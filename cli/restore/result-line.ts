import { contentKey, isContentId } from '../../core/restore/content-id';
import { parseJsonObject } from '../../core/json/json-object';
import { type ActingUser } from '../../core/restore/restore-operation';
import { type TenantKey } from '../../core/tokens/token-key';
import { type CommandError, usageError } from '../command-error';
import { showFile } from '../safe-text';
import { type FailureCode, failureOf, isFailureCode } from './outcome-kinds';

/** What all results of one file share: its first line. */
export type RunKey = TenantKey & {
  /** Address of the restore API. */
  readonly api: string;
};

/** Any other line. The last one of a content counts. */
export interface ResultLine extends ActingUser {
  readonly contentId: string;
  /** `sending` precedes each request: if no other line follows, the outcome is unknown. */
  readonly outcome: 'sending' | 'restored' | FailureCode;
  /** For a restored content: how many of its items the platform failed to process, if any. */
  readonly itemsInError?: number;
  /** For a restored content: its status, if that is not `published`. */
  readonly recordStatus?: string;
}

/** What is known of a content. */
export interface Result extends ResultLine {
  readonly outcome: Exclude<ResultLine['outcome'], 'sending'>;
}

/** Adds a line. An unknown outcome stays until an answer settles it, since an earlier request may have restored the content. */
export function addLine(results: Map<string, ResultLine>, line: ResultLine): void {
  const key = contentKey(line.contentId);
  if (results.get(key)?.outcome !== 'outcome_unknown' || isSettled(line)) results.set(key, line);
}

function isSettled({ outcome }: ResultLine): boolean {
  if (outcome === 'sending') return false;
  return outcome === 'restored' || ['content', 'needless', 'unknown'].includes(failureOf(outcome).kind);
}

/** What a results file holds. */
export interface ParsedResults {
  /** By content key. */
  readonly lines: Map<string, ResultLine>;
  /** What follows the last line break, and is to be dropped: a truncated line, which a killed process leaves behind. */
  readonly isTruncated: boolean;
}

/**
 * Parses results. A complete last line without a line break counts, as an editor leaves it; a truncated one does not.
 * @throws {CommandError} usage, if they are none, or those of another tenant or restore API
 */
export function parseResults(text: string, file: string, run: RunKey): ParsedResults {
  const lines = new Map<string, ResultLine>();
  const [first = '', ...rest] = text.split('\n');
  const header = JSON.stringify(run);
  const last = rest.at(-1) ?? first;
  const isTruncated = parseJsonObject(last) === undefined;
  if (rest.length === 0 && header.startsWith(first)) return { lines, isTruncated };
  const refuse = (found: string): CommandError =>
    usageError(
      'results',
      `${found} ${showFile(file)}`,
      'a file of the same tenant and restore API, or none',
      'Nothing was sent, and the file is unchanged. Use the flags of its run, or another file with --results: then ' +
        'everything is sent, even contents that may have been restored. If only the address of the restore API has ' +
        `changed, replace the first line with: ${header}`,
    );
  if (first !== header) throw refuse('no results of this run in');
  if (isTruncated) rest.pop();
  for (const [index, line] of rest.entries()) {
    const value: { [Name in keyof ResultLine]?: unknown } = parseJsonObject(line) ?? {};
    const { contentId, outcome } = value;
    const isOutcome = outcome === 'sending' || outcome === 'restored' || isFailureCode(outcome);
    if (!isOutcome || !isContentId(contentId)) throw refuse(`no result in line ${index + 2} of`);
    addLine(lines, value as ResultLine);
  }
  return { lines, isTruncated };
}
