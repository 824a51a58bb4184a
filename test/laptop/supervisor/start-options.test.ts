import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

function start(...args: string[]): { status: number | null; stdout: string; stderr: string } {
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
  [
    ['--config', 'a.json', '--assembly', 'cdk.out'],
    /^latchkey: --config: found together with --assembly; allowed: one of them$/m,
  ],
  [['--console-port', '70000'], /^latchkey: --console-port: found 70000; allowed: 0–65535$/m],
  [['--frob'], /^latchkey: arguments: found the unknown option --frob; allowed: the options below\nusage: /],
  [['now'], /^latchkey: arguments: found a word; allowed: options only\nusage: /],
  [['--state-dir'], /^latchkey: --state-dir: found nothing; allowed: a value after it\nusage: /],
  [['--once=1'], /^latchkey: --once: found a value; allowed: no value\nusage: /],
  [
    ['--fault', '{'],
    /^latchkey: --fault: found \{; allowed: a JSON object such as \{"target":"token","status":500\}$/m,
  ],
  [
    ['--fault', '{"target":"contents","status":500,"sort":1}'],
    /^latchkey: --fault: target: found "contents"; allowed: token, content, tenants, webhooks, resource\n--fault: sort: found a field of this name; allowed: target, match, .*$/m,
  ],
  [
    ['--fault', '{"target":"token"}'],
    /^latchkey: --fault: \(whole input\): found \{"target":"…"\}; allowed: at least one of status, /m,
  ],
  [
    ['--fault', '{"target":"token","certificate":"expired"}'],
    /^latchkey: --fault: certificate: found "expired"; allowed: nothing, unless each address has its own port/m,
  ],
])('npm start -- %j reports what is wrong, and starts nothing', (args, message) => {
  const { status, stdout, stderr } = start(...args);

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(message);
});
