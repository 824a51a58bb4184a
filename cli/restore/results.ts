import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { contentKey } from '../../contract/content-id';
import { RESTORED_STATUS } from '../../contract/restore-operation';
import { isInError, type RestoreAnswer } from './answer';
import { type AppendFile, openAppendFile } from './append-file';
import { type RestoreItem } from './item';
import { checkSameRun, parseResultLines, type ResultLine, resultText, type RunKey } from './result-line';
import { resultsFailure } from './results-file';

interface ResultsOptions {
  /** Path of the results; requests in flight are noted in a file next to it. */
  readonly file: string;
  readonly run: RunKey;
  readonly items: readonly RestoreItem[];
  readonly nowMs: () => number;
  /** @default the file system's */
  readonly openToAppend?: (file: string) => Promise<AppendFile>;
}

/** Longer statuses are cut off in the results. */
const MAX_STATUS_CHARS = 64;
const INTERRUPTED = 'the run was interrupted before it stored the answer';

/**
 * The result of each content, in a file from which an interrupted run resumes. Before each request, a second file notes
 * the content with an unknown outcome, which holds until a result replaces it.
 */
export class Results {
  readonly #options: ResultsOptions;
  readonly #results: Map<string, ResultLine>;
  #written!: AppendFile;
  #inFlight!: AppendFile;

  private constructor(options: ResultsOptions, results: Map<string, ResultLine>) {
    this.#options = options;
    this.#results = results;
  }

  /**
   * Opens the results of a run, or creates them. Requests that were in flight when an earlier run was killed become unknown.
   * @throws {CommandError} if the file system fails, or the results belong to another run, and leaves them unchanged
   */
  static async open(options: ResultsOptions): Promise<Results> {
    const { file } = options;
    const results = readResults(options);
    const opened = new Results(options, results);
    // First move requests in flight into the results, then delete their file. Rewriting also drops a truncated line.
    if (results.size > 0 || existsSync(file)) await opened.#rewrite();
    await rm(inFlightFile(file), { force: true });
    const openToAppend = options.openToAppend ?? openAppendFile;
    opened.#written = await openToAppend(file);
    opened.#inFlight = await openToAppend(inFlightFile(file));
    await syncFolderOf(file);
    return opened;
  }

  /** The result of a content; undefined if it was never sent. */
  of(contentId: string): ResultLine | undefined {
    return this.#results.get(contentKey(contentId));
  }

  /** Notes that a request is about to be sent, so its outcome is unknown. @throws {CommandError} */
  async begin(item: RestoreItem): Promise<void> {
    const attempt = (this.of(item.contentId)?.attempt ?? 0) + 1;
    const note = this.#line(item, { outcome: 'outcome_unknown', detail: INTERRUPTED }, attempt);
    await this.#inFlight.append(resultText(note));
    this.#results.set(contentKey(item.contentId), note);
  }

  /** Notes that the last request failed and a retry follows. @throws {CommandError} */
  async settle(item: RestoreItem, answer: RestoreAnswer): Promise<void> {
    await this.#write(this.#inFlight, item, answer);
  }

  /** Stores the result of a content. @throws {CommandError} and leaves its outcome unknown */
  async record(item: RestoreItem, answer: RestoreAnswer): Promise<void> {
    await this.#write(this.#written, item, answer);
  }

  /** Closes the results, with one line per content. @throws {CommandError} and keeps what was written */
  async close(): Promise<void> {
    await Promise.all([this.#written.close(), this.#inFlight.close()]);
    await this.#rewrite();
    await rm(inFlightFile(this.#options.file), { force: true });
  }

  async #write(to: AppendFile, item: RestoreItem, answer: RestoreAnswer): Promise<void> {
    const result = this.#line(item, answer, this.of(item.contentId)?.attempt ?? 0);
    await to.append(resultText(result));
    this.#results.set(contentKey(item.contentId), result);
  }

  #line({ contentId, actingUser }: RestoreItem, answer: RestoreAnswer, attempt: number): ResultLine {
    const { outcome, status, requestId } = answer;
    const { run, nowMs } = this.#options;
    const record = 'record' in answer ? answer.record : undefined;
    const itemsInError = record?.items.filter(isInError).length ?? 0;
    return {
      contentId,
      outcome,
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { requestId }),
      at: new Date(nowMs()).toISOString(),
      ...('detail' in answer && { detail: answer.detail }),
      ...(record !== undefined &&
        record.status !== RESTORED_STATUS && { recordStatus: record.status.slice(0, MAX_STATUS_CHARS) }),
      ...(itemsInError > 0 && { itemsInError }),
      attempt,
      ...run,
      ...actingUser,
    };
  }

  /** Replaces the file atomically, even if the machine crashes. */
  async #rewrite(): Promise<void> {
    const { file } = this.#options;
    const lines = [...this.#results.values()].map((result) => `${resultText(result)}\n`);
    try {
      await writeSynced(`${file}.new`, lines.join(''));
      await rename(`${file}.new`, file);
      await syncFolderOf(file);
    } catch (error) {
      throw resultsFailure(error);
    }
  }
}

/**
 * The results of earlier runs by content key. Changes no file.
 * @throws {CommandError} if the file system fails, or the results belong to another run
 */
export function readResults({
  file,
  run,
  items,
}: Pick<ResultsOptions, 'file' | 'run' | 'items'>): Map<string, ResultLine> {
  const results = readLines(file);
  for (const [key, noted] of readLines(inFlightFile(file))) {
    if (noted.attempt > (results.get(key)?.attempt ?? 0)) results.set(key, noted);
  }
  checkSameRun(results, run, items, file);
  return results;
}

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Syncs the folder, so that a crash does not lose a new file name. */
async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

function inFlightFile(file: string): string {
  return `${file}.in-flight`;
}

function readLines(file: string): Map<string, ResultLine> {
  if (!existsSync(file)) return new Map();
  try {
    return parseResultLines(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw resultsFailure(error);
  }
}
