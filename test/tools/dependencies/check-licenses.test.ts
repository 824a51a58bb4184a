import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const PROGRAM = join(ROOT, 'tools/dependencies/check-licenses.cjs');
/** Each folder with a lock file. */
const FOLDERS = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .map(dirname);

let project: string;

beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'latchkey-licenses-'))));
afterEach(() => rmSync(project, { recursive: true }));

const run = (cwd: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr };
};

function lock(folder: string, packages: Record<string, object>): void {
  mkdirSync(join(project, folder), { recursive: true });
  const root = { '': { name: 'project', license: 'Apache-2.0' } };
  writeFileSync(
    join(project, folder, 'package-lock.json'),
    JSON.stringify({ packages: { ...root, ...packages } }),
  );
}

/** @param folder whose lock file has the packages */
function check(packages: Record<string, object>, folder = '.') {
  for (const each of FOLDERS) lock(each, each === folder ? packages : {});
  return run(project);
}

const OWN = ['node_modules/cdk-on-loopback', 'node_modules/learning-platform-sandbox'];

it('accepts the packages of this project', () => {
  const packages = FOLDERS.flatMap((folder) => {
    const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
    return Object.keys((JSON.parse(text) as { packages: object }).packages).filter(
      (path) => path.includes('node_modules/') && !OWN.includes(path),
    );
  });

  expect(run(ROOT)).toEqual({
    status: 0,
    stdout: `The licenses of ${packages.length} packages are allowed\n`,
    stderr: '',
  });
});

it.each(['MIT', '(MIT OR GPL-3.0-only)', 'GPL-3.0-only OR ISC', '(Apache-2.0 AND BSD-3-Clause)'])(
  'accepts %s',
  (license) => {
    expect(check({ 'node_modules/a': { version: '1.0.0', license } })).toEqual({
      status: 0,
      stdout: 'The licenses of 1 packages are allowed\n',
      stderr: '',
    });
  },
);

it.each([
  'GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  // The terms of an exception are not known.
  'MIT WITH Something-exception',
  '(MIT OR ISC) AND GPL-3.0-only',
  'SEE LICENSE IN LICENSE.md',
  'UNLICENSED',
])('rejects %s', (license) => {
  const { status, stderr } = check({ 'node_modules/@a/b': { version: '1.2.3', license } });

  expect(status).toBe(1);
  expect(stderr).toBe(`package-lock.json: @a/b 1.2.3: found ${license}\n`);
});

it('rejects a package that states no license, also one inside another', () => {
  const { status, stderr } = check({ 'node_modules/a/node_modules/b': { version: '1.2.3' } });

  expect(status).toBe(1);
  expect(stderr).toBe('package-lock.json: b 1.2.3: found no license\n');
});

it('allows some licenses only to packages that are named for them', () => {
  const { status, stderr } = check({
    'node_modules/axe-core': { version: '4.0.0', license: 'MPL-2.0' },
    'node_modules/other': { version: '1.0.0', license: 'MPL-2.0' },
  });

  expect(status).toBe(1);
  expect(stderr).toBe('package-lock.json: other 1.0.0: found MPL-2.0\n');
});

it.each(FOLDERS.filter((folder) => folder !== '.'))('checks the packages of %s, too', (folder) => {
  const { stderr } = check({ 'node_modules/a': { version: '1.0.0', license: 'GPL-2.0-only' } }, folder);

  expect(stderr).toBe(`${folder}/package-lock.json: a 1.0.0: found GPL-2.0-only\n`);
});
