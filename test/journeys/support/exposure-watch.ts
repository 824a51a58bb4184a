import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type VisibleText } from '../../support/canaries';
import { processesOf } from './visible-texts';

const EVERY_MS = 20;

/** Folders of tsx hold transpiled files that do not change: hundreds of them, which one check at the end covers. */
const LASTING = /[\\/]tsx-[^\\/]*$/;

/**
 * Polls what others on the machine could see and what may be short-lived: the arguments and environments of
 * this test's processes, and the files in a folder.
 */
export class ExposureWatch {
  readonly #folder: string;
  readonly #seen = new Map<string, VisibleText>();
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /**
   * Stops polling.
   * @returns everything recorded, without duplicates
   */
  stop(): VisibleText[] {
    clearInterval(this.#timer);
    this.#look();
    this.#lookInto(this.#folder, () => true);
    return [...this.#seen.values()];
  }

  #look(): void {
    for (const seen of processesOf(process.pid)) this.#seen.set(`${seen.place} ${seen.text}`, seen);
    this.#lookInto(this.#folder, (folder) => !LASTING.test(folder));
  }

  #lookInto(folder: string, isWanted: (folder: string) => boolean): void {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) this.#read(path);
      else if (isWanted(path)) this.#lookInto(path, isWanted);
    }
  }

  #read(file: string): void {
    const stats = statSync(file, { throwIfNoEntry: false });
    const key = `${file} ${stats?.mtimeMs} ${stats?.size}`;
    if (stats?.isFile() !== true || this.#seen.has(key)) return;
    try {
      const place = `file ${relative(this.#folder, file)}`;
      this.#seen.set(key, { place, text: readFileSync(file, 'utf8') });
    } catch {
      // The file is gone.
    }
  }
}

/** The entries of a folder; none if it is gone. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
