import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

function start(...args: string[]): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, ['--require', 'tsx/cjs', 'bin/start.ts', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
}

test.each([
  [
    ['--once', '--console-port', '0'],
    /^latchkey: --console-port: found together with --once; allowed: without it$/m,
  ],
  [['--console-port', '70000'], /^latchkey: --console-port: found 70000; allowed: 0–65535$/m],
])('npm start -- %j reports what is wrong, and starts nothing', (args, message) => {
  const { status, stderr } = start(...args);

  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});
