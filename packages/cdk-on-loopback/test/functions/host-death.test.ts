import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { gone, isRunning } from '../support/processes';

test('a function process exits by itself when the host is killed during an invocation', async () => {
  const host = fork(join(__dirname, '../support/host-that-dies.ts'), [], {
    execArgv: ['--require', 'tsx/cjs'],
  });
  const { pid, dir } = await new Promise<{ pid: number; dir: string }>((resolve) =>
    host.once('message', (message) => resolve(message as never)),
  );
  expect(isRunning(pid)).toBe(true);

  host.kill('SIGKILL');
  try {
    await gone(pid);
  } finally {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    rmSync(dir, { recursive: true });
  }
}, 20_000);
