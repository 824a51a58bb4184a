import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../src/sandbox/program/sandbox-options';
import { readSeedFile } from '../../../src/sandbox/program/seed-file';

let directory: string;
beforeAll(() => (directory = mkdtempSync(join(tmpdir(), 'sandbox-seed-'))));
afterAll(() => rmSync(directory, { recursive: true }));

function fileOf(text: string | Buffer): string {
  const file = join(directory, 'seed.json');
  writeFileSync(file, text);
  return file;
}

function failureOf(file: string): UsageError {
  try {
    readSeedFile(file);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('it was read');
}

test('reads any JSON document', () => {
  expect(readSeedFile(fileOf('{"deployments": [1]}'))).toEqual({ deployments: [1] });
});

test.each([
  ['an empty file', '', 'line 1, column 1'],
  ['a trailing comma', '{\n  "deployments": [],\n}', 'line 3, column 1'],
  ['a word', '{"deployments":\n  [true, maybe]}', 'line 2, column 10'],
  ['truncated text', '{\n"issuers": [', 'line 2, column 13'],
  ['a truncated string', '{"issuers', 'line 1, column 10'],
  ['a second document', '{}\n{}', 'line 2, column 1'],
])('%s is reported as a syntax error with its position, without quoting the text', (_, text, place) => {
  expect(failureOf(fileOf(text)).issues).toEqual([`--seed: found a syntax error at ${place}; allowed: JSON`]);
});

test('accepts a byte order mark', () => {
  expect(readSeedFile(fileOf('\uFEFF{}'))).toEqual({});
});

test('reports text that is not UTF-8, and a device, with one line each', () => {
  const otherText = failureOf(fileOf(Buffer.from('\uFEFF{}', 'utf16le')));
  const device = failureOf('/dev/zero');

  expect(otherText.issues).toEqual(['--seed: found text that is not UTF-8; allowed: a JSON file']);
  expect(device.issues).toEqual(['--seed: found a device; allowed: a JSON file']);
});

test('reports a missing file, and a directory, with one line each, without their names', () => {
  const missing = failureOf(join(directory, 'missing.json'));
  const folder = failureOf(directory);

  expect(missing.issues).toEqual(['--seed: found a path that does not exist; allowed: a JSON file']);
  expect(folder.issues).toEqual(['--seed: found a directory; allowed: a JSON file']);
});

test('reports any other unreadable file with one line and its code', () => {
  const failure = failureOf(join(directory, 'x'.repeat(1000)));

  expect(failure.issues).toEqual([
    '--seed: found a file that cannot be read (ENAMETOOLONG); allowed: a JSON file',
  ]);
});
