import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file, of which a reader sees all or nothing. */
export function writeAtomically(file: string, text: string): void {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, text);
    renameSync(written, file);
  } finally {
    rmSync(written, { force: true });
  }
}
