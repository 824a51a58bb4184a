import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostProcess } from '../../../laptop/supervisor/host-process';
import { newFolder } from '../../support/new-folder';

/** A host that writes the files of a run with inline code and authorities of its own, and never stops by itself. */
const HOST = `
const { mkdirSync, writeFileSync } = require('node:fs');
const { hostname } = require('node:os');
process.once('message', ({ options: { stateDir } }) => {
  for (const folder of ['', 'cdk.out', 'inline-code', 'authorities']) mkdirSync(stateDir + '/' + folder, { recursive: true });
  writeFileSync(stateDir + '/lock', 'latchkey ' + process.pid + ' ' + hostname() + '\\n');
  writeFileSync(stateDir + '/local.json', '{}');
  process.send({ type: 'up' });
});
`;

test('removes every file of a host that was killed, so that the next run finds its folder empty', async () => {
  const folder = newFolder();
  const program = join(folder, 'host.cjs');
  writeFileSync(program, HOST);
  const stateDir = join(folder, 'state');
  const output = { report: () => undefined, log: () => undefined };
  const host = new HostProcess(program, { projectRoot: folder, sandboxProgram: '', stateDir }, output);
  await host.up;

  host.kill();
  await host.stop();

  expect(existsSync(stateDir)).toBe(false);
});
