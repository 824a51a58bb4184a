import {
  appendFileSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  realpathSync,
} from 'node:fs';
import { dirname } from 'node:path';

import { parseJsonObject } from '../../core/json/json-object';
import { contentKey, isContentId } from '../../core/restore/content-id';
import { type ActingUser, RESTORED_STATUS } from '../../core/restore/restore-operation';
import { type TenantKey } from '../../core/tokens/token-key';
import { type Release, takeRunLock } from '../../laptop/run-lock';
import { CommandError, usageError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';
import { isInError, type RestoreAnswer } from './answer';
import { type RestoreItem } from './item';
import { type FailureCode, isFailureCode, isSettled } from './outcome-kinds';

/** Longer statuses are cut off. */
const MAX_STATUS_CHARS = 64;

/** What all results of one file share: its first line. */
export type RunKey = TenantKey & {
  /** Address of the restore API. */
  readonly api: string;
};

/** Any other line. The last one of a content counts. */
export interface Result extends ActingUser {
  readonly contentId: string;
  /** `outcome_unknown` also precedes each request, and stays unless an answer is stored. */
  readonly outcome: 'restored' | FailureCode;
  /** For a restored content: how many of its items the platform failed to process, if any. */
  readonly itemsInError?: number;
  /** For a restored content: its status, if that is not `published`. */
  readonly recordStatus?: string;
}

/** Finds the last result of a content; undefined if it was never sent. */
export type FindResult = (contentId: string) => Result | undefined;

/**
 * The results of a bulk restore, in a file that lines are only appended to. A line is on disk before each request, so the next
 * run knows what this one may have sent, even after a kill or a power failure.
 */
export class Results {
  readonly #nowMs: () => number;
  readonly #fd: number;
  readonly #release: Release;
  readonly #results: Map<string, Result>;
  /** Contents that an earlier request may have restored. */
  readonly #maybeRestored = new Set<string>();
  #failure: CommandError | undefined;

  /**
   * Opens the results for one run at a time; creates them for their owner only.
   * @throws {CommandError} `already_running`, or if they belong to another run or cannot be written
   */
  constructor(file: string, run: RunKey, nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#release = guarded(() => lockResults(file));
    try {
      const text = readFileSync(file);
      const { results, isTruncated } = parseResults(text.toString(), file, run);
      this.#results = results;
      this.#fd = openSync(file, 'a');
      const wholeBytes = text.lastIndexOf('\n') + 1;
      if (isTruncated) ftruncateSync(this.#fd, wholeBytes);
      else appendFileSync(this.#fd, '\n');
      if (isTruncated && wholeBytes === 0) this.#writeLine(run);
      syncFolderOf(file);
    } catch (error) {
      this.#release();
      throw resultsFailure(error);
    }
  }

  readonly find: FindResult = (contentId) => this.#results.get(contentKey(contentId));

  /** Notes on disk that a request is about to be sent, so its outcome is unknown. @throws {CommandError} */
  begin(item: RestoreItem): void {
    if (this.find(item.contentId)?.outcome === 'outcome_unknown') this.#maybeRestored.add(item.contentId);
    this.#store(item, { outcome: 'outcome_unknown', detail: 'no answer was stored' });
    this.#write(() => fdatasyncSync(this.#fd));
  }

  /**
   * Stores the answer to a request. An unknown outcome of an earlier request stays until an answer settles it.
   * @throws {CommandError} and leaves the outcome unknown
   */
  record(item: RestoreItem, answer: RestoreAnswer): void {
    const { outcome, status, requestId } = answer;
    const record = 'record' in answer ? answer.record : undefined;
    const itemsInError = record?.items.filter(isInError).length ?? 0;
    const isUnknown = this.#maybeRestored.has(item.contentId) && !isSettled(outcome);
    this.#store(item, {
      outcome: isUnknown ? 'outcome_unknown' : outcome,
      status,
      requestId,
      ...('detail' in answer && { detail: answer.detail }),
      ...(record !== undefined &&
        record.status !== RESTORED_STATUS && { recordStatus: record.status.slice(0, MAX_STATUS_CHARS) }),
      ...(itemsInError > 0 && { itemsInError }),
    });
  }

  /** Syncs the results, and lets another run open them. @throws {CommandError} */
  close(): void {
    try {
      guarded(() => fsyncSync(this.#fd));
    } finally {
      closeSync(this.#fd);
      this.#release();
    }
  }

  #store(
    { contentId, actingUser }: RestoreItem,
    fields: Pick<Result, 'outcome'> & Record<string, unknown>,
  ): void {
    const result = { contentId, ...fields, at: new Date(this.#nowMs()).toISOString(), ...actingUser };
    this.#writeLine(result);
    this.#results.set(contentKey(contentId), result);
  }

  #writeLine(line: object): void {
    this.#write(() => appendFileSync(this.#fd, `${JSON.stringify(line)}\n`));
  }

  /** Nothing is written after a failure: the last line may be incomplete, or not on disk. */
  #write(work: () => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      work();
    } catch (error) {
      throw (this.#failure = resultsFailure(error));
    }
  }
}

/**
 * The results of earlier runs. Changes no file.
 * @throws {CommandError} if they belong to another run, or cannot be read
 */
export function readResults(file: string, run: RunKey): FindResult {
  const text = guarded(() => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  const { results } = parseResults(text, file, run);
  return (contentId) => results.get(contentKey(contentId));
}

/**
 * Parses results, by content key. A complete last line without a line break counts, as an editor leaves it; a truncated one,
 * which a killed process leaves behind, does not.
 * @throws {CommandError} usage, if the text is not results, or of another tenant or restore API
 */
function parseResults(
  text: string,
  file: string,
  run: RunKey,
): { results: Map<string, Result>; isTruncated: boolean } {
  const results = new Map<string, Result>();
  const [first = '', ...lines] = text.split('\n');
  const header = JSON.stringify(run);
  const isTruncated = parseJsonObject(lines.at(-1) ?? first) === undefined;
  if (lines.length === 0 && header.startsWith(first)) return { results, isTruncated };
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
  if (isTruncated) lines.pop();
  for (const [index, line] of lines.entries()) {
    const value: { [Name in keyof Result]?: unknown } = parseJsonObject(line) ?? {};
    const { contentId, outcome } = value;
    if (!isContentId(contentId) || (outcome !== 'restored' && !isFailureCode(outcome)))
      throw refuse(`no result in line ${index + 2} of`);
    results.set(contentKey(contentId), value as Result);
  }
  return { results, isTruncated };
}

/** Locks a results file, under whatever name, for this run. Takes over the lock of a process that has exited. */
function lockResults(file: string): Release {
  // Only a file that exists has a real path.
  appendFileSync(file, '', { mode: 0o600 });
  const lockFile = `${realpathSync(file)}.lock`;
  const lock = takeRunLock(lockFile);
  if ('release' in lock) return lock.release;
  throw new CommandError(EXIT.failed, 'already_running', `another run holds the lock ${showFile(lockFile)}`, {
    advice:
      'Two runs with one results file would send contents twice. Wait for the other run to end. ' +
      'If none is running, on this machine or another, remove the lock file.',
  });
}

/** @throws {CommandError} if the file system fails */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw resultsFailure(error);
  }
}

/** The error for results that cannot be read or written. */
function resultsFailure(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  const { code = 'no reason given' } = error as NodeJS.ErrnoException;
  return new CommandError(
    EXIT.failed,
    'results_not_written',
    `the results cannot be read or written (${code})`,
    {
      cause: error,
      advice:
        'Nothing more is sent. Free disk space or fix the permissions, and run the same command again. ' +
        'Contents in flight without a stored result count as unknown.',
    },
  );
}

/** Syncs the folder, so that a power failure does not lose the name of a new file. */
function syncFolderOf(file: string): void {
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
