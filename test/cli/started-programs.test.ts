import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { StartedPrograms } from '../../cli/started-programs';
import { newFolder } from '../support/new-folder';

const folder = newFolder();
writeFileSync(join(folder, 'short.js'), 'process.exit(Number(process.argv[2]))');
writeFileSync(join(folder, 'long.js'), 'setInterval(() => {}, 1e6)');
let programs: StartedPrograms;
beforeEach(() => (programs = new StartedPrograms(folder)));

it('returns the exit status of a program', async () => {
  expect(await programs.run('short', ['3'])).toBe(3);
});

it('takes no signal if nothing was started', () => {
  expect(programs.passOn('SIGINT')).toBe(false);
});

it('passes a signal on to the program', async () => {
  const status = programs.run('long', []);

  expect(programs.passOn('SIGTERM')).toBe(true);
  expect(await status).toBe(1);
});

it('still takes signals after the program has exited', async () => {
  await programs.run('short', ['0']);

  expect(programs.passOn('SIGINT')).toBe(true);
});
