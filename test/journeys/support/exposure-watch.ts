import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type VisibleText } from '../../support/canaries';
import { processesOf } from './visible-texts';

const EVERY_MS = 20;

/** What tsx transpiled stays there as it is, under the name of what it holds: hundreds of files, enough to see at the end. */
const LASTING = /[\\/]tsx-[^\\/]*$/;

/**
 * Looks again and again at what others on the machine could see and what may be gone a moment later: what the processes
 * of this test were started with, and the files in a folder.
 */
export class ExposureWatch {
  readonly #folder: string;
  readonly #seen = new Map<string, VisibleText>();
  readonly #timer: NodeJS.Timeout;

  constructor(folder: string) {
    this.#folder = folder;
    this.#timer = setInterval(() => this.#look(), EVERY_MS);
  }

  /** Ends it. @returns everything that was seen, once */
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
      // It is gone already.
    }
  }
}

/** Nothing for a folder that is gone already. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
