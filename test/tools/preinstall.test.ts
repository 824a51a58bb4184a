import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const INSTALLED = 'node_modules/.package-lock.json';

let project: string;

/** A separate project, with an npm that only records its arguments. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-preinstall-'));
  for (const file of ['package.json', 'package-lock.json', 'tools/preinstall.cjs']) {
    cpSync(join(ROOT, file), join(project, file));
  }
  mkdirSync(join(project, 'path'));
  writeFileSync(join(project, 'path/npm'), '#!/bin/sh\necho "$*" >> called\nexit "${NPM_STATUS:-0}"\n');
  chmodSync(join(project, 'path/npm'), 0o755);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function run(options: { nodeVersion?: string; npmStatus?: number } = {}) {
  const { nodeVersion = '20.19.0', npmStatus = 0 } = options;
  const code = `Object.defineProperty(process.versions, 'node', { value: '${nodeVersion}' }); require('./tools/preinstall.cjs')`;
  return spawnSync(process.execPath, ['-e', code], {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: [join(project, 'path'), process.env.PATH].join(delimiter), NPM_STATUS: String(npmStatus) },
  });
}

/** The arguments of each call. */
function npmCalls(): string[][] {
  try {
    const calls = readFileSync(join(project, 'called'), 'utf8').trim().split('\n');
    return calls.map((call) => call.split(' '));
  } catch {
    return [];
  }
}

/** Simulates an installation that is this much newer than the lock file. */
function install(youngerByMs: number): void {
  mkdirSync(join(project, 'node_modules'));
  writeFileSync(join(project, INSTALLED), '{}');
  const lockTime = new Date('2026-01-01T00:00:00Z');
  utimesSync(join(project, 'package-lock.json'), lockTime, lockTime);
  const installTime = new Date(lockTime.getTime() + youngerByMs);
  utimesSync(join(project, INSTALLED), installTime, installTime);
}

it('installs from the lock file if nothing is installed', () => {
  expect(run().status).toBe(0);
  expect(npmCalls()).toEqual([expect.arrayContaining(['ci', '--include=dev'])]);
});

it('runs no script of a package that it installs', () => {
  run();

  expect(npmCalls()).toEqual([expect.arrayContaining(['--ignore-scripts'])]);
});

it('installs again if the lock file is newer than the installation', () => {
  install(-1000);

  expect(run().status).toBe(0);
  expect(npmCalls()).toEqual([expect.arrayContaining(['ci'])]);
});

it('refuses a link to another folder, which an installation would empty', () => {
  const others = join(project, 'others');
  mkdirSync(others);
  symlinkSync(others, join(project, 'node_modules'));

  const { status, stderr } = run();

  expect(status).toBe(1);
  expect(stderr).toContain('node_modules is a link to another folder');
  expect(npmCalls()).toEqual([]);
});

it('does nothing if the installation is newer', () => {
  install(1000);

  const { status, stdout } = run();

  expect(status).toBe(0);
  expect(stdout).toBe('');
  expect(npmCalls()).toEqual([]);
});

it.each(['18.20.0', '20.18.9'])('rejects Node %s in one line that says what to do', (nodeVersion) => {
  const { status, stderr } = run({ nodeVersion });

  expect(status).toBe(1);
  expect(stderr).toBe(`latchkey: Node ${nodeVersion} is too old; install Node 20.19 or later.\n`);
  expect(npmCalls()).toEqual([]);
});

it.each(['20.19.0', '22.0.0', '24.1.0'])('accepts Node %s', (nodeVersion) => {
  install(1000);

  expect(run({ nodeVersion }).status).toBe(0);
});

it('reports that the packages cannot be installed', () => {
  const { status, stderr } = run({ npmStatus: 7 });

  expect(status).toBe(1);
  expect(stderr).toBe(
    'latchkey: the packages could not be installed; run `npm ci --ignore-scripts` to see why.\n',
  );
});

it('denies each install script of the lock file, so that a new one is noticed', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as unknown;
  const { packages } = read('package-lock.json') as { packages: Record<string, { hasInstallScript?: true }> };
  const { allowScripts } = read('package.json') as { allowScripts: Record<string, boolean> };
  const withScript = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);

  expect(withScript).not.toEqual([]);
  expect(allowScripts).toEqual(
    Object.fromEntries(withScript.map((path) => [path.replace(/^.*node_modules\//, ''), false])),
  );
});
