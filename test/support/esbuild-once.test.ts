import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';

let folder: string;
let options: BuildOptions;
const textOf = (more: BuildOptions = {}) => buildSync({ ...options, ...more }).outputFiles![0]!.text;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-esbuild-'));
  options = { entryPoints: [join(folder, 'entry.js')], write: false, logLevel: 'error' };
  writeFileSync(join(folder, 'entry.js'), 'first();\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('builds in memory on the first call, with the result that esbuild gives', () => {
  const { outputFiles, errors } = buildSync({ ...options, outdir: folder });

  expect(errors).toEqual([]);
  const [{ path, text, contents }] = outputFiles as [OutputFile];
  expect(outputFiles).toHaveLength(1);
  expect({ path, text }).toEqual({ path: join(folder, 'entry.js'), text: 'first();\n' });
  expect(contents).toBeInstanceOf(Uint8Array);
});

it('reuses the first build of a run, even after a source changed', () => {
  const before = textOf();
  writeFileSync(join(folder, 'entry.js'), 'second();\n');

  expect(textOf()).toBe(before);
});

it('builds again with other options', () => {
  textOf();
  writeFileSync(join(folder, 'entry.js'), 'second();\n');

  expect(textOf({ minifyWhitespace: true })).toBe('second();\n');
});

it('always builds what is written to a file', () => {
  const outfile = join(folder, 'out.js');
  buildSync({ ...options, outfile, write: true });
  writeFileSync(join(folder, 'entry.js'), 'second();\n');

  buildSync({ ...options, outfile, write: true });

  expect(readFileSync(outfile, 'utf8')).toBe('second();\n');
});
