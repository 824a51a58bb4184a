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

import { contentKey } from '../../core/restore/content-id';
import { RESTORED_STATUS } from '../../core/restore/restore-operation';
import { type Release, takeRunLock } from '../../laptop/run-lock';
import { CommandError } from '../command-error';
import { EXIT } from '../exit-codes';
import { showFile } from '../safe-text';
import { isInError, type RestoreAnswer } from './answer';
import { type RestoreItem } from './item';
import { type FindResult } from './plan';
import { addLine, parseResults, type Result, type ResultLine, type RunKey } from './result-line';

/** Longer statuses are cut off. */
const MAX_STATUS_CHARS = 64;
/** The outcome of a request without an answer in the results. */
const NO_ANSWER = {
  outcome: 'outcome_unknown',
  detail: 'the run ended before it stored the answer',
} as const;

/**
 * The results of a bulk restore, in a file that lines are only appended to. A line is on disk before each request, so the next
 * run knows what this one may have sent, even after a kill or a power failure.
 */
export class Results {
  readonly #nowMs: () => number;
  readonly #fd: number;
  readonly #release: Release;
  readonly #lines: Map<string, ResultLine>;
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
      const { lines, isTruncated } = parseResults(text.toString(), file, run);
      this.#lines = lines;
      this.#fd = openSync(file, 'a');
      const bytes = text.lastIndexOf('\n') + 1;
      if (isTruncated) ftruncateSync(this.#fd, bytes);
      else appendFileSync(this.#fd, '\n');
      if (isTruncated && bytes === 0) this.#write(run);
      for (const line of this.#lines.values()) {
        if (line.outcome === 'sending') this.#append({ ...line, ...NO_ANSWER });
      }
      syncFolderOf(file);
    } catch (error) {
      this.#release();
      throw resultsFailure(error);
    }
  }

  readonly of: FindResult = (contentId) => resultOf(this.#lines, contentId);

  /** Notes on disk that a request is about to be sent, so its outcome is unknown. @throws {CommandError} */
  begin(item: RestoreItem): void {
    this.#append(this.#line(item, { outcome: 'sending' }), fdatasyncSync);
  }

  /** Stores the answer to a request. @throws {CommandError} and leaves the outcome unknown */
  record(item: RestoreItem, answer: RestoreAnswer): void {
    const { outcome, status, requestId } = answer;
    const record = 'record' in answer ? answer.record : undefined;
    const itemsInError = record?.items.filter(isInError).length ?? 0;
    this.#append(
      this.#line(item, {
        outcome,
        status,
        requestId,
        ...('detail' in answer && { detail: answer.detail }),
        ...(record !== undefined &&
          record.status !== RESTORED_STATUS && { recordStatus: record.status.slice(0, MAX_STATUS_CHARS) }),
        ...(itemsInError > 0 && { itemsInError }),
      }),
    );
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

  #line<Fields extends object>({ contentId, actingUser }: RestoreItem, fields: Fields) {
    return { contentId, ...fields, at: new Date(this.#nowMs()).toISOString(), ...actingUser };
  }

  #append(line: ResultLine, sync?: (fd: number) => void): void {
    this.#write(line, sync);
    addLine(this.#lines, line);
  }

  #write(line: object, sync?: (fd: number) => void): void {
    // After a failure, the last line may be incomplete.
    if (this.#failure !== undefined) throw this.#failure;
    try {
      appendFileSync(this.#fd, `${JSON.stringify(line)}\n`);
      sync?.(this.#fd);
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
  const { lines } = parseResults(text, file, run);
  return (contentId) => resultOf(lines, contentId);
}

function resultOf(lines: ReadonlyMap<string, ResultLine>, contentId: string): Result | undefined {
  const line = lines.get(contentKey(contentId));
  if (line === undefined) return undefined;
  const { outcome } = line;
  return outcome === 'sending' ? { ...line, ...NO_ANSWER } : { ...line, outcome };
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
