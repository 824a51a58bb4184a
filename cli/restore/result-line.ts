import { contentKey, isContentId } from '../../contract/content-id';
import { parseJsonObject } from '../../contract/json-object';
import { type TenantKey } from '../../contract/token-key';
import { type CommandError, usageError } from '../command-error';
import { showFile } from '../safe-text';
import { type FailureCode, isFailureCode } from './outcome-kinds';

/** What all results of one file share: the tenant and the restore API. */
export interface RunKey extends TenantKey {
  /** Address of the restore API. */
  readonly api: string;
}

/** A line of the results file. The last one of a content counts. */
export interface ResultLine extends RunKey {
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

const RUN_FIELDS = ['environment', 'platformRegion', 'tenantId', 'api'] as const;
/** Start of every line, which tells a truncated results file from any other file. */
const LINE_START = '{"contentId":"';
const ADVICE =
  'Nothing was sent, and the file is unchanged. Results belong to one run: use its flags, or another file with --results. ' +
  'Then everything is sent, even contents that may have been restored. If only the address of the restore API has changed, ' +
  'write the new one into the results.';

/**
 * Parses results by content key. Ignores a truncated last line, which a killed process leaves behind.
 * @throws {CommandError} usage, if they are none, or those of another tenant or restore API
 */
export function parseResults(text: string, file: string, run: RunKey): Map<string, ResultLine> {
  const results = new Map<string, ResultLine>();
  const lines = text.split('\n');
  const truncated = lines.pop()!;
  for (const [index, line] of lines.entries()) {
    const value: { [Name in keyof ResultLine]?: unknown } = parseJsonObject(line) ?? {};
    const { contentId, outcome } = value;
    const isOutcome = outcome === 'sending' || outcome === 'restored' || isFailureCode(outcome);
    if (!isOutcome || !isContentId(contentId)) throw notResults(file, index + 1);
    const field = RUN_FIELDS.find((name) => value[name] !== run[name]);
    if (field !== undefined) {
      const found = `${String(value[field])} in the results ${showFile(file)}`;
      throw usageError(field, found, `${run[field]}, as in this run`, ADVICE);
    }
    results.set(contentKey(contentId), value as ResultLine);
  }
  if (!truncated.startsWith(LINE_START) && !LINE_START.startsWith(truncated))
    throw notResults(file, lines.length + 1);
  return results;
}

function notResults(file: string, line: number): CommandError {
  const found = `no result in line ${line} of ${showFile(file)}`;
  return usageError('results', found, 'a file that this command wrote, or none', ADVICE);
}
