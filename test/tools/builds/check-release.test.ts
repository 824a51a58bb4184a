import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../../tools/builds/check-release.cjs');

let project: string;

beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'latchkey-release-'))));
afterEach(() => rmSync(project, { recursive: true }));

function check(tag: string, repository?: unknown) {
  writeFileSync(join(project, 'package.json'), JSON.stringify({ version: '1.2.3', repository }));
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM], {
    cwd: project,
    encoding: 'utf8',
    env: { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'acme/latchkey' },
  });
  return { status, stderr };
}

it.each([
  'https://github.com/acme/latchkey',
  'git+https://github.com/acme/latchkey.git',
  { type: 'git', url: 'git+https://github.com/acme/latchkey.git' },
])('accepts the tag of the version, in the repository that the package names: %j', (repository) => {
  expect(check('v1.2.3', repository)).toEqual({ status: 0, stderr: '' });
});

it('rejects the tag of another version', () => {
  expect(check('v1.2.4', 'https://github.com/acme/latchkey')).toEqual({
    status: 1,
    stderr: 'tag: found v1.2.4; allowed: v1.2.3\n',
  });
});

it.each([undefined, 'https://github.com/acme/latchkey-fork', 'https://github.com/other/latchkey'])(
  'rejects a package that names another repository, which npm would not publish: %s',
  (repository) => {
    expect(check('v1.2.3', repository)).toEqual({
      status: 1,
      stderr: `package.json: repository: found ${repository ?? 'nothing'}; allowed: git+https://github.com/acme/latchkey.git\n`,
    });
  },
);
