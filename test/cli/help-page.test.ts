import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXIT } from '../../cli/exit-codes';
import { buildProgram } from '../../cli/program';
import { helpPage } from '../../tools/docs/help-page';

const page = readFileSync(join(__dirname, '../../docs/command.md'), 'utf8');
const examples = [...helpPage().matchAll(/^ {2}(?:source <\()?latchkey .+$/gm)].flatMap(([line]) =>
  [...line.matchAll(/latchkey ([^|)]+)/g)].map(([, words]) => words!.trim()),
);

describe('docs/command.md', () => {
  it('lists every exit code', () => {
    const documented = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));

    expect(documented).toEqual(Object.values(EXIT));
  });
});

test.each(examples)('the example "latchkey %s" is valid', async (words) => {
  const run = jest.fn(async () => undefined);
  const write = jest.fn();

  await buildProgram(run, write).parseAsync(words.split(' '), { from: 'user' });

  // help and completion only write.
  const isAboutItself = /^(help|completion) /.test(words);
  expect([run.mock.calls.length, write.mock.calls.length > 0]).toEqual(
    isAboutItself ? [0, true] : [1, false],
  );
});
