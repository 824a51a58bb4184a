import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { parseSeed } from 'learning-platform-sandbox/testing';

import { blocksOf } from '../journeys/support/pages';
import { ServedSandbox } from '../support/restore-api/served-sandbox';

const ROOT = join(__dirname, '../..');

it('a profile is tried without its issuer, by the commands of the page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-profile-'));
  const [, profile = ''] = blocksOf('issuers.md', 'json');
  writeFileSync(join(folder, 'example.json'), profile);
  const [[toSeed = ''] = [], ...commands] = blocksOf('issuers.md')
    .filter((block) => /seed\.json|test_profile/.test(block))
    .map((block) => block.split('\n'));
  expect(spawnSync('bash', ['-c', toSeed], { cwd: folder })).toMatchObject({ status: 0 });
  const sandbox = await ServedSandbox.start(
    parseSeed(JSON.parse(readFileSync(join(folder, 'seed.json'), 'utf8'))),
  );
  writeFileSync(join(folder, 'ca.pem'), sandbox.caCertificate);

  const script = [`latchkey() { node '${join(ROOT, 'bin/latchkey.cjs')}' "$@"; }`, ...commands.flat()]
    .join('\n')
    .replaceAll('https://127.0.0.1:8443', sandbox.origin);
  const shell = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd: folder });
  const [output] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
  await sandbox.close();
  rmSync(folder, { recursive: true });

  expect(shell.exitCode).toBe(0);
  expect(output).toContain('✓ The answer is as the profile says');
  expect(output).toContain('"accessToken": "data.token"');
  expect(output).toContain('exit code 1: something differs');
}, 60_000);
