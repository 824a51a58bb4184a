import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** Writes a file in one step, so that no reader sees a part of it. An existing file keeps its permissions. */
export function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}`;
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  try {
    // Never follows a link that somebody else put into the folder.
    writeFileSync(temporary, text, { flag: 'wx', ...(mode !== undefined && { mode }) });
    // The umask may have removed permissions.
    if (mode !== undefined) chmodSync(temporary, mode);
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}
