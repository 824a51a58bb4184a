import { type FileHandle, open } from 'node:fs/promises';

import { type CommandError } from '../command-error';
import { resultsFailure } from './results-file';

/** A file that lines are added to, one after the other. */
export interface AppendFile {
  /**
   * Adds a line, which has left for the disk once this resolves.
   * @throws {CommandError} where the file system refuses; from then on every line is, since the last one may be half there
   */
  append(line: string): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  line: string;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Opens a file to add lines to; it is made where there is none, for its owner alone. @throws {CommandError} */
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

  /** Lines that wait together are written and synced together: a disk syncs some hundred times a second only. */
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
