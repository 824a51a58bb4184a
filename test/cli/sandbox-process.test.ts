import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { newFolder } from '../support/new-folder';

// Each test starts processes.
jest.setTimeout(30_000);

const CHECKOUT = join(__dirname, '../..');
const LATCHKEY = join(CHECKOUT, 'bin/latchkey.cjs');

/** The command as a shell runs it, in an empty folder, without a configuration. */
describe('the command latchkey sandbox', () => {
  let dir: string;
  let children: ChildProcess[];
  beforeEach(() => {
    dir = newFolder();
    children = [];
  });
  afterEach(() => {
    for (const child of children) killGroup(child, 'SIGKILL');
  });

  function startProgram(program: string, args: readonly string[], cwd = dir) {
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: dir },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group, as a terminal makes one for each command.
      detached: true,
    });
    children.push(child);
    return child;
  }

  const start = (...args: string[]) => startProgram(process.execPath, [LATCHKEY, 'sandbox', ...args]);

  async function startReady(child = start('--json')) {
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, caFile: (JSON.parse(line) as { caFile: string }).caFile };
  }

  it('leaves nothing behind after Ctrl-C, however often', async () => {
    const { child, caFile } = await startReady();
    expect(existsSync(caFile)).toBe(true);

    const again = setInterval(() => child.kill('SIGINT'), 1);
    const [exit, stderr] = await Promise.all([once(child, 'exit') as Promise<unknown[]>, text(child.stderr)]);
    clearInterval(again);

    expect({ exit, stderr, left: readdirSync(dir) }).toEqual({ exit: [0, null], stderr: '', left: [] });
  });

  it('leaves no sandbox behind when it is killed', async () => {
    const { child, caFile } = await startReady();

    child.kill('SIGKILL');
    while (existsSync(caFile)) await sleep(10);

    expect(readdirSync(dir)).toEqual([]);
  });

  const npm = () => startProgram('npm', ['run', '--silent', 'sandbox', '--', '--json'], CHECKOUT);
  const npx = () => {
    mkdirSync(join(dir, 'node_modules/.bin'), { recursive: true });
    symlinkSync(LATCHKEY, join(dir, 'node_modules/.bin/latchkey'));
    return startProgram('npx', ['--offline', '--no', 'latchkey', 'sandbox', '--json']);
  };
  // The stream of the output closes once every process that could write to it has ended.
  it.each([
    ['npm gets SIGTERM', npm, (started: ChildProcess) => started.kill('SIGTERM')],
    ['npm is killed', npm, (started: ChildProcess) => started.kill('SIGKILL')],
    ['the terminal of npm sends Ctrl-C', npm, (started: ChildProcess) => killGroup(started, 'SIGINT')],
    ['the terminal of npm closes', npm, (started: ChildProcess) => killGroup(started, 'SIGHUP')],
    ['npx gets SIGTERM', npx, (started: ChildProcess) => started.kill('SIGTERM')],
    ['npx is killed', npx, (started: ChildProcess) => started.kill('SIGKILL')],
  ])('leaves nothing behind when %s', async (_, begin, stop) => {
    const { child, caFile } = await startReady(begin());

    stop(child);
    await once(child, 'close');

    expect(existsSync(caFile)).toBe(false);
  });
});

/** Sends a signal to a process and all that it started in its group. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal);
  } catch {
    // All of them have ended.
  }
}
