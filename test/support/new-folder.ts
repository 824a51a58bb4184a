import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder, which the test run removes at its end. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'test-'));
}
