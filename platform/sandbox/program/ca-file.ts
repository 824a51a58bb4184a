import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { found, UsageError } from './sandbox-options';

const STATE_DIR = '.latchkey';

/** The certificate of the authority to trust, in a file. */
export interface CaFile {
  /** As it was given, or relative to the working directory. */
  readonly path: string;
  readonly absolutePath: string;
  /** Takes the file away, and its folder if nothing else is there; not one whose place was given. */
  remove(): void;
}

/**
 * Writes the file, with its folder.
 * @param given its place; undefined for the usual one, which is different for each port
 * @throws {UsageError} when it cannot be written there
 */
export function writeCaFile(given: string | undefined, port: number, caCertificate: string): CaFile {
  const path = given ?? join(STATE_DIR, `sandbox-${port}-ca.pem`);
  const absolutePath = resolve(path);
  try {
    mkdirSync(dirname(absolutePath), { recursive: true });
    writeFileSync(absolutePath, caCertificate);
  } catch (error) {
    if (given === undefined) removeUsual(absolutePath);
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError([
      found('--ca-file', `a place where nothing can be written (${code})`, 'a file to be written'),
    ]);
  }
  return { path, absolutePath, remove: () => (given === undefined ? removeUsual(absolutePath) : undefined) };
}

function removeUsual(file: string): void {
  try {
    rmSync(file, { force: true });
    rmdirSync(dirname(file));
  } catch {
    // Others keep files there too, or have put something else in its place.
  }
}
