import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readSuite, SUITE_NAMES } from './breakable-suites';

const ROOT = join(__dirname, '../../..');

test.each(SUITE_NAMES)('every break of the %s names a line that the product has, once', (name) => {
  const { entries } = readSuite(name);

  const astray = entries.filter(({ brokenBy: { file, from } }) => {
    return readFileSync(join(ROOT, file), 'utf8').split(from).length !== 2;
  });

  expect(entries.length).toBeGreaterThan(0);
  expect(astray.map(({ id, brokenBy: { file, from } }) => `${id} ${file}: ${from}`)).toEqual([]);
});
