import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type * as builder from '../../../tools/builds/programs.cjs';

const ROOT = join(__dirname, '../../..');

let project: string;

/** A separate project, whose sandbox prints the text in another source file. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-build-'));
  for (const folder of ['tools/builds', 'packages/learning-platform-sandbox/src/sandbox'])
    mkdirSync(join(project, folder), { recursive: true });
  write('tools/builds/programs.cjs', readFileSync(join(ROOT, 'tools/builds/programs.cjs'), 'utf8'));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  write('package-lock.json', '{}');
  write(
    'packages/learning-platform-sandbox/src/sandbox/main.ts',
    `import { said } from './said';\nconsole.log(said);`,
  );
  say('first');
});
afterEach(() => rmSync(project, { recursive: true }));

/** Writes a file with an older timestamp. */
function write(file: string, text: string, ageSec = 60): void {
  writeFileSync(join(project, file), text);
  const at = Date.now() / 1000 - ageSec;
  utimesSync(join(project, file), at, at);
}

const say = (text: string, ageSec?: number) =>
  write('packages/learning-platform-sandbox/src/sandbox/said.ts', `export const said = '${text}';`, ageSec);

function upToDate(): string {
  const built = createRequire(join(project, 'any.cjs'))('./tools/builds/programs.cjs') as typeof builder;
  return built.upToDate('sandbox');
}

const printed = () => execFileSync(process.execPath, [upToDate()], { encoding: 'utf8' }).trim();

it('builds a missing program, and does not rebuild it while its sources are unchanged', () => {
  const file = upToDate();
  const { mtimeMs } = statSync(file);

  expect(printed()).toBe('first');
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
});

it.each([
  ['was changed', 30],
  ['was replaced by an older file', 3600],
])('rebuilds after a source %s', (_, ageSec) => {
  upToDate();

  say('second', ageSec);

  expect(printed()).toBe('second');
});

it('rebuilds after the packages changed', () => {
  const { mtimeMs } = statSync(upToDate());

  write('package-lock.json', '{ }', 30);

  expect(statSync(upToDate()).mtimeMs).not.toBe(mtimeMs);
});

it('rebuilds after a source changed during the build', () => {
  say('first', -1);
  const { mtimeMs } = statSync(join(project, 'packages/learning-platform-sandbox/src/sandbox/said.ts'));
  upToDate();

  writeFileSync(
    join(project, 'packages/learning-platform-sandbox/src/sandbox/said.ts'),
    `export const said = 'second';`,
  );
  utimesSync(
    join(project, 'packages/learning-platform-sandbox/src/sandbox/said.ts'),
    mtimeMs / 1000,
    mtimeMs / 1000,
  );

  expect(printed()).toBe('second');
});

it('rebuilds after another process built other sources', () => {
  const file = upToDate();

  writeFileSync(file, `console.log('other')`);

  expect(printed()).toBe('first');
});

it('fails if nothing can be written', () => {
  writeFileSync(join(project, 'dist'), '');

  expect(upToDate).toThrow();
});
