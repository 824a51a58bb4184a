import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildSync } from 'esbuild';

/** Builds the sandbox program into a directory and returns its file, which starts faster than the sources. */
export function buildSandbox(folder: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [join(__dirname, '../../../src/sandbox/main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    logLevel: 'error',
    write: false,
  });
  const file = join(folder, 'sandbox.js');
  writeFileSync(file, outputFiles[0]!.contents);
  return file;
}
