import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

import { type VisibleText } from '../../support/canaries';
import { processesOf } from './visible-texts';

const EVERY_MS = 20;

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
    return [...this.#seen.values()];
  }

  #look(): void {
    for (const seen of processesOf(process.pid)) this.#seen.set(`${seen.place} ${seen.text}`, seen);
    for (const entry of readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })) {
      this.#read(join(this.#folder, entry));
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
