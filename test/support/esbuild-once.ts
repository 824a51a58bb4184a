/**
 * Stands in for esbuild in all tests: what is built to be kept in memory is built once in a run of them, for all files
 * and processes. A file of tests has modules of its own, so that each would build every function anew, which takes seconds.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';

import * as esbuild from '../../node_modules/esbuild';
import { testRunFolder } from './test-run';

export * from '../../node_modules/esbuild';

export function buildSync(options: esbuild.BuildOptions): esbuild.BuildResult {
  const folder = testRunFolder();
  if (options.write !== false || folder === undefined) return esbuild.buildSync(options);
  const digest = createHash('sha256').update(JSON.stringify(options)).digest('hex');
  const file = join(folder, `esbuild-${digest}`);
  if (!existsSync(file)) keep(file, esbuild.buildSync(options));
  const { outputFiles, ...result } = deserialize(readFileSync(file)) as esbuild.BuildResult;
  return {
    ...result,
    outputFiles: outputFiles!.map((output) => ({ ...output, text: Buffer.from(output.contents).toString() })),
  };
}

/** Another process may be reading it, or writing it too. */
function keep(file: string, { outputFiles, ...result }: esbuild.BuildResult): void {
  const written = `${file}.${process.pid}`;
  // The text of a file is a getter, which would not be kept.
  const files = outputFiles!.map(({ path, hash, contents }) => ({ path, hash, contents }));
  writeFileSync(written, serialize({ ...result, outputFiles: files }));
  renameSync(written, file);
}
