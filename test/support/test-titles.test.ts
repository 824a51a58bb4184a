import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { testsIn } from './test-titles';

const SOURCE = `
const run = () => undefined;
it('alone', run);
test(name, run);
describe('a', () => {
  describe.each([1])('b %s', () => {
    test.each([{ c: 1 }])('c $c', run);
    beforeAll(() => test('inside', run));
  });
  for (const x of [1, 2]) it(\`of \${x} and \${x + 1}\`, run);
  it.skip('later', run);
  tested('is no test', run);
});
describe.skip('d', () => test('e', run));
`;

test('lists the tests of a source, by the titles as written', () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-titles-'));
  const file = join(folder, 'source.test.ts');
  writeFileSync(file, SOURCE);

  const tests = testsIn(file);

  rmSync(folder, { recursive: true });
  expect(tests).toEqual([
    { title: 'alone', status: 'listed' },
    { title: 'a › b %s › c $c', status: 'listed' },
    { title: 'a › b %s › inside', status: 'listed' },
    { title: 'a › of %s and %s', status: 'listed' },
    { title: 'a › later', status: 'skipped' },
    { title: 'd › e', status: 'skipped' },
  ]);
});
