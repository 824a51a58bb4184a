import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { upToDate } from '../../../tools/builds/programs.cjs';
import { PROJECT_ROOT } from './local-process';

const BUILT = ['latchkey', 'start', 'host', 'sandbox'] as const;
const COPIED = ['package.json', 'bin/latchkey.cjs', 'dist/laptop/page', 'dist/laptop/bootstrap.cjs'];

/**
 * Installs the command into a folder as npm does: only built files, and no other package.
 * @returns its path
 */
export function installCommand(folder: string): string {
  const installed = join(folder, 'node_modules/latchkey');
  for (const path of [
    ...BUILT.map((program) => upToDate(program).slice(PROJECT_ROOT.length + 1)),
    ...COPIED,
  ]) {
    cpSync(join(PROJECT_ROOT, path), join(installed, path), { recursive: true });
  }
  return join(installed, 'bin/latchkey.cjs');
}
