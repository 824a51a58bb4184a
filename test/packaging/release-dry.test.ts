import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

import { tarball } from '../support/installed-package';

const ROOT = join(__dirname, '../..');
jest.setTimeout(180_000);

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('latchkey-release-dry-'));

function releaseDry(...args: string[]) {
  const program = [
    '--require',
    'tsx/cjs',
    join(ROOT, 'tools/builds/release-dry.ts'),
    '--skip-tests',
    ...args,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: ROOT, encoding: 'utf8' });
  return { status, stdout, stderr };
}

it('lists the files of the package, prints how it would be published, and leaves nothing behind', () => {
  const before = leftovers();
  const packed = spawnSync('tar', ['-tzf', tarball()], { encoding: 'utf8' }).stdout.trim().split('\n');

  const { status, stdout, stderr } = releaseDry('--tag', `v${version}`);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ +[\d,]+ {2}(\S+)$/gm)].map(([, path]) => `package/${path}`);
  expect(listed.sort()).toEqual(packed.sort());
  expect(stdout).toContain(
    `npm publish ./release/latchkey-${version}.tgz --provenance --access public --tag `,
  );
  expect(leftovers()).toEqual(before);
});

it('rejects the tag of another version, and builds nothing', () => {
  expect(releaseDry('--tag', 'v0.0.1')).toEqual({
    status: 1,
    stdout: '',
    stderr: `tag: found v0.0.1; allowed: v${version}\n`,
  });
});
