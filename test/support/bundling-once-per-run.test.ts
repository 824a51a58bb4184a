import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bundlingOncePerRun } from './bundling-once-per-run';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-once-'));
  mkdirSync(join(folder, 'run'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("bundles a TypeScript program's code once per run, from the sources as they were first", () => {
  const entry = join(folder, 'entry.js');
  const options = JSON.stringify({ entryPoints: [entry], write: false });
  const program = join(folder, 'program.ts');
  writeFileSync(program, `console.log(require('esbuild').buildSync(${options}).outputFiles[0].text)`);
  const bundle = () => {
    const env = { ...process.env, ...bundlingOncePerRun(), LATCHKEY_TEST_RUN: join(folder, 'run') };
    const { stdout, stderr } = spawnSync(process.execPath, ['--require', 'tsx/cjs', program], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return stdout;
  };
  writeFileSync(entry, 'first();\n');

  const before = bundle();
  writeFileSync(entry, 'second();\n');

  expect(before).toContain('first();');
  expect(bundle()).toBe(before);
});
