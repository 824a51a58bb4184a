/**
 * Replaces esbuild in all tests. In-memory builds run once per test run, for all files and processes;
 * otherwise each test file, which loads its own modules, would take seconds to build every function.
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

/** Writes to a temporary file first, since other processes may be reading or writing this one. */
function keep(file: string, { outputFiles, ...result }: esbuild.BuildResult): void {
  const written = `${file}.${process.pid}`;
  // The `text` of an output file is a getter, which would not be saved.
  const files = outputFiles!.map(({ path, hash, contents }) => ({ path, hash, contents }));
  writeFileSync(written, serialize({ ...result, outputFiles: files }));
  renameSync(written, file);
}
