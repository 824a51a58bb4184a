import { type FileHandle, open } from 'node:fs/promises';

import { type CommandError } from '../command-error';
import { resultsFailure } from './results-file';

/** A file that lines are appended to. */
export interface AppendFile {
  /**
   * Appends a line, and resolves once it is synced to disk.
   * @throws {CommandError} if the file system fails; every later call fails too, because the last line may be incomplete
   */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  line: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Opens a file for appending; creates it for its owner only. @throws {CommandError} */
export async function openAppendFile(file: string): Promise<AppendFile> {
  try {
    return new SyncedAppendFile(await open(file, 'a', 0o600));
  } catch (error) {
    throw resultsFailure(error);
  }
}

class SyncedAppendFile implements AppendFile {
  readonly #handle: FileHandle;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #failure: CommandError | undefined;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line, resolve, reject });
      this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#handle.close();
  }

  /** Writes and syncs waiting lines together: a disk syncs only a few hundred times a second. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0);
      try {
        if (this.#failure !== undefined) throw this.#failure;
        await this.#handle.appendFile(lines.map(({ line }) => `${line}\n`).join(''));
        await this.#handle.datasync();
        for (const { resolve } of lines) resolve();
      } catch (error) {
        this.#failure ??= resultsFailure(error);
        for (const { reject } of lines) reject(this.#failure);
      }
    }
  }
}
