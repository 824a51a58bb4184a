import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { writeAtomically } from '../../cli/init/write-atomically';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'write-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('follows no link that somebody put beside the file', () => {
  const [file, theirs] = [join(folder, 'latchkey.json'), join(folder, 'theirs')];
  writeFileSync(theirs, 'theirs');
  symlinkSync(theirs, `${file}.${process.pid}`);

  writeAtomically(file, 'ours');

  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(readFileSync(file, 'utf8')).toBe('ours');
  expect(readdirSync(folder)).toHaveLength(3);
});
