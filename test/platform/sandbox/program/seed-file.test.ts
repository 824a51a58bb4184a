import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../../platform/sandbox/program/sandbox-options';
import { readSeedFile } from '../../../../platform/sandbox/program/seed-file';

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

test('a document is read, whatever it holds', () => {
  expect(readSeedFile(fileOf('{"cells": [1]}'))).toEqual({ cells: [1] });
});

test.each([
  ['an empty file', '', 'line 1, column 1'],
  ['a trailing comma', '{\n  "cells": [],\n}', 'line 3, column 1'],
  ['a word', '{"cells":\n  [true, maybe]}', 'line 2, column 10'],
  ['text that is cut off', '{\n"cells": [', 'line 2, column 11'],
  ['a string that is cut off', '{"cells', 'line 1, column 8'],
  ['a second document', '{}\n{}', 'line 2, column 1'],
])('%s is a syntax error with its place, and none of its text', (_, text, place) => {
  expect(failureOf(fileOf(text)).issues).toEqual([`--seed: found a syntax error at ${place}; allowed: JSON`]);
});

test('a byte order mark before the text is no fault', () => {
  expect(readSeedFile(fileOf('\uFEFF{}'))).toEqual({});
});

test('text in another encoding than UTF-8, and a device, are one line each', () => {
  const otherText = failureOf(fileOf(Buffer.from('\uFEFF{}', 'utf16le')));
  const device = failureOf('/dev/zero');

  expect(otherText.issues).toEqual(['--seed: found text that is not UTF-8; allowed: a JSON file']);
  expect(device.issues).toEqual(['--seed: found a device; allowed: a JSON file']);
});

test('a file that is not there, and a folder, are one line each, and not named', () => {
  const missing = failureOf(join(directory, 'missing.json'));
  const folder = failureOf(directory);

  expect(missing.issues).toEqual(['--seed: found a path that does not exist; allowed: a JSON file']);
  expect(folder.issues).toEqual(['--seed: found a directory; allowed: a JSON file']);
});

test('a file that cannot be read for another reason is one line with its code', () => {
  const failure = failureOf(join(directory, 'x'.repeat(1000)));

  expect(failure.issues).toEqual([
    '--seed: found a file that cannot be read (ENAMETOOLONG); allowed: a JSON file',
  ]);
});
