import { contentKey, isContentId } from '../../core/restore/content-id';
import { parseJsonObject } from '../../core/json/json-object';
import { type ActingUser } from '../../core/restore/restore-operation';
import { type TenantKey } from '../../core/tokens/token-key';
import { type CommandError, usageError } from '../command-error';
import { showFile } from '../safe-text';
import { type FailureCode, failureOf, isFailureCode } from './outcome-kinds';

/** What all results of one file share: its first line. */
export interface RunKey extends TenantKey {
  /** Address of the restore API. */
  readonly api: string;
}

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

/**
 * Parses results by content key. Ignores a truncated last line, which a killed process leaves behind.
 * @throws {CommandError} usage, if they are none, or those of another tenant or restore API
 */
export function parseResults(text: string, file: string, run: RunKey): Map<string, ResultLine> {
  const results = new Map<string, ResultLine>();
  const [first = '', ...lines] = text.split('\n');
  const header = JSON.stringify(run);
  if (lines.length === 0 && header.startsWith(first)) return results;
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
  for (const [index, line] of lines.slice(0, -1).entries()) {
    const value: { [Name in keyof ResultLine]?: unknown } = parseJsonObject(line) ?? {};
    const { contentId, outcome } = value;
    const isOutcome = outcome === 'sending' || outcome === 'restored' || isFailureCode(outcome);
    if (!isOutcome || !isContentId(contentId)) throw refuse(`no result in line ${index + 2} of`);
    addLine(results, value as ResultLine);
  }
  return results;
}
