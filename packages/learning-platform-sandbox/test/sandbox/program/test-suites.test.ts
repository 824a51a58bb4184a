import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installLibraries } from '../support/installed-library';

const ROOT = join(__dirname, '../../../../..');
const PAGE = readFileSync(join(ROOT, 'docs/sandbox-recipes.md'), 'utf8');
const BLOCKS = [...PAGE.matchAll(/^### (.*)\n(?:(?!^### )[^])*?^```js\n([^]*?)^```$/gm)].map(
  ([, heading = '', code = '']) => [heading, code] as const,
);
const TIMEOUT_MS = 60_000;
jest.setTimeout(2 * TIMEOUT_MS);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-suites-'));
  installLibraries(folder);
  for (const scope of ['@aws-sdk', '@smithy']) {
    symlinkSync(join(ROOT, 'node_modules', scope), join(folder, 'node_modules', scope));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the page has all its blocks', () => {
  expect(BLOCKS.map(([heading]) => heading)).toEqual([
    'node:test',
    'Jest and Vitest',
    'latchkey/client',
    'Trusting the certificate',
  ]);
});

test.each(BLOCKS)('%s: the block passes, and its process exits by itself', (heading, code) => {
  const isJest = heading.startsWith('Jest');
  const file = isJest ? 'suite.test.js' : 'suite.mjs';
  writeFileSync(join(folder, file), code);
  const jestArgs = [require.resolve('jest/bin/jest'), '--rootDir', folder, '--config', '{}', '--runInBand'];

  const { status, signal, stdout, stderr } = spawnSync(process.execPath, isJest ? jestArgs : [file], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
  });

  const output = status === 0 ? '' : stdout + stderr;
  expect({ status, signal, output }).toEqual({ status: 0, signal: null, output: '' });
});
