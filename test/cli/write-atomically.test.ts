import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeAtomically } from '../../cli/init/write-atomically';
import { newFolder } from '../support/new-folder';

it('follows no link that somebody put beside the file', () => {
  const folder = newFolder();
  const [file, theirs] = [join(folder, 'latchkey.json'), join(folder, 'theirs')];
  writeFileSync(theirs, 'theirs');
  symlinkSync(theirs, `${file}.${process.pid}`);

  writeAtomically(file, 'ours');

  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  expect(readFileSync(file, 'utf8')).toBe('ours');
  expect(readdirSync(folder)).toHaveLength(3);
});
