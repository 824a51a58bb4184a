import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { faultLine } from '../../input-faults';
import { UsageError } from './sandbox-options';

const STATE_DIR = '.latchkey';

/** The CA certificate to trust, in a file. */
export interface CaFile {
  /** As given, or relative to the working directory. */
  readonly path: string;
  readonly absolutePath: string;
  /** Deletes the file, and its directory if that is empty. Does nothing if the path was given. */
  remove(): void;
}

/**
 * Writes the certificate and creates the directory it goes to.
 * @param given the path; undefined for `.latchkey/sandbox-PORT-ca.pem`
 * @throws {UsageError} if the path is not writable
 */
export function writeCaFile(given: string | undefined, port: number, caCertificate: string): CaFile {
  const path = given ?? join(STATE_DIR, `sandbox-${port}-ca.pem`);
  const absolutePath = resolve(path);
  try {
    mkdirSync(dirname(absolutePath), { recursive: true });
    writeFileSync(absolutePath, caCertificate);
  } catch (error) {
    if (given === undefined) removeDefault(absolutePath);
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new UsageError([
      faultLine('--ca-file', `a path that is not writable (${code})`, 'a path to write a file to'),
    ]);
  }
  return {
    path,
    absolutePath,
    remove: () => (given === undefined ? removeDefault(absolutePath) : undefined),
  };
}

function removeDefault(file: string): void {
  try {
    rmSync(file, { force: true });
    rmdirSync(dirname(file));
  } catch {
    // The directory holds other files, or something else replaced the file.
  }
}
