import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXIT } from '../../cli/exit-codes';
import { helpPage } from '../../cli/help-page';
import { buildProgram } from '../../cli/program';

const page = readFileSync(join(__dirname, '../../docs/command.md'), 'utf8');
const examples = [...helpPage().matchAll(/^ {2}latchkey (.+)$/gm)].map(([, words]) => words!);

describe('docs/command.md', () => {
  it('lists every exit code', () => {
    const documented = [...page.matchAll(/^\| (\d+) +\|/gm)].map(([, code]) => Number(code));

    expect(documented).toEqual(Object.values(EXIT));
  });
});

test.each(examples)('the example "latchkey %s" is valid', async (words) => {
  const run = jest.fn(async () => undefined);

  await buildProgram(run, () => undefined).parseAsync(words.split(' '), { from: 'user' });

  expect(run).toHaveBeenCalledTimes(1);
});
