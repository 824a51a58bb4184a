import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

import { contentKey } from '../../contract/content-id';
import { isInError, type RestoreAnswer } from './answer';
import { type AppendFile, openAppendFile } from './append-file';
import { type RestoreItem } from './item';
import { checkSameRun, parseResultLines, type ResultLine, resultText, type RunKey } from './result-line';
import { resultsFailure } from './results-file';

interface ResultsOptions {
  /** Path of the results; what is in flight is noted beside it. */
  readonly file: string;
  readonly run: RunKey;
  readonly items: readonly RestoreItem[];
  readonly nowMs: () => number;
  /** @default the file system's */
  readonly openToAppend?: (file: string) => Promise<AppendFile>;
}

const INTERRUPTED = 'the run was interrupted before the answer was written down';

/**
 * What became of each content, in a file that an interrupted run is taken up from. Before a request is sent, its content
 * is noted in a second file as one whose outcome is unknown, and so it is unless something better is written after it.
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
   * Opens the results of a run, or begins new ones. What was in flight when a run before was killed is unknown from now on.
   * @throws {CommandError} where the file system refuses, or the results are not those of this run; they are as they were
   */
  static async open(options: ResultsOptions): Promise<Results> {
    const { file, run, items } = options;
    const results = readLines(file);
    for (const [key, noted] of readLines(inFlightFile(file))) {
      if (noted.attempt > (results.get(key)?.attempt ?? 0)) results.set(key, noted);
    }
    checkSameRun(results, run, items, file);
    const opened = new Results(options, results);
    // In this order: what was in flight is in the results before it is forgotten. A line that was cut off goes.
    if (results.size > 0 || existsSync(file)) await opened.#rewrite();
    await rm(inFlightFile(file), { force: true });
    const openToAppend = options.openToAppend ?? openAppendFile;
    opened.#written = await openToAppend(file);
    opened.#inFlight = await openToAppend(inFlightFile(file));
    await syncFolderOf(file);
    return opened;
  }

  /** What is known of a content; undefined where nothing was sent for it. */
  of(contentId: string): ResultLine | undefined {
    return this.#results.get(contentKey(contentId));
  }

  /** Notes that a request is about to be sent: from here on its outcome is unknown. @throws {CommandError} */
  async begin(item: RestoreItem): Promise<void> {
    const attempt = (this.of(item.contentId)?.attempt ?? 0) + 1;
    const note = this.#line(item, { outcome: 'outcome_unknown', detail: INTERRUPTED }, attempt);
    await this.#inFlight.append(resultText(note));
    this.#results.set(contentKey(item.contentId), note);
  }

  /** Notes that nothing came of the request that was begun last, and that the next one follows. @throws {CommandError} */
  async settle(item: RestoreItem, answer: RestoreAnswer): Promise<void> {
    await this.#write(this.#inFlight, item, answer);
  }

  /** Writes down what became of a content. @throws {CommandError}; then its outcome stays unknown */
  async record(item: RestoreItem, answer: RestoreAnswer): Promise<void> {
    await this.#write(this.#written, item, answer);
  }

  /** Ends the run, with one line of each content. @throws {CommandError}; what was written before is still there */
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
    const itemsInError = 'record' in answer ? answer.record.items.filter(isInError).length : 0;
    return {
      contentId,
      outcome,
      ...(status !== undefined && { status }),
      ...(requestId !== undefined && { requestId }),
      at: new Date(nowMs()).toISOString(),
      ...('detail' in answer && { detail: answer.detail }),
      ...(itemsInError > 0 && { itemsInError }),
      attempt,
      ...run,
      ...actingUser,
    };
  }

  /** All at once, or not at all, also where the machine stops in between. */
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

async function writeSynced(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Without it a new name in a folder may be lost where the machine stops. */
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
