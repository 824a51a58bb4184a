import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Writes a file, of which a reader sees all or nothing. An existing one keeps its permissions. */
export function writeAtomically(file: string, text: string): void {
  const written = `${file}.${randomUUID()}`;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  try {
    // Somebody who may write the folder could otherwise have a link followed.
    writeFileSync(written, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    // The umask may have taken some.
    if (mode !== undefined) chmodSync(written, mode);
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}
