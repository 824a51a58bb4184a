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

const SOURCES = 'packages/learning-platform-sandbox/src/sandbox';

let project: string;

/** A separate project, whose sandbox prints the text in another source file. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-build-'));
  for (const folder of ['tools/builds', SOURCES]) mkdirSync(join(project, folder), { recursive: true });
  write('tools/builds/programs.cjs', readFileSync(join(ROOT, 'tools/builds/programs.cjs'), 'utf8'));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'));
  write('package-lock.json', '{}');
  write(`${SOURCES}/main.ts`, `import { said } from './said';\nconsole.log(said);`);
  say('first');
});
afterEach(() => rmSync(project, { recursive: true }));

/** Writes a file with a timestamp. */
function write(file: string, text: string, at = secondsAgo(60)): void {
  writeFileSync(join(project, file), text);
  utimesSync(join(project, file), at, at);
}

const secondsAgo = (sec: number) => Date.now() / 1000 - sec;
const say = (text: string, at?: number) => write(`${SOURCES}/said.ts`, `export const said = '${text}';`, at);

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

  say('second', secondsAgo(ageSec));

  expect(printed()).toBe('second');
});

it('rebuilds after the packages changed', () => {
  const { mtimeMs } = statSync(upToDate());

  write('package-lock.json', '{ }', secondsAgo(30));

  expect(statSync(upToDate()).mtimeMs).not.toBe(mtimeMs);
});

it('rebuilds after a source changed during the build', () => {
  const at = secondsAgo(-1);
  say('first', at);
  upToDate();

  say('second', at);

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
