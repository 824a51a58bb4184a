import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
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
const FOLDER = 'tools/lint';
const DEVELOPMENT = '--include=dev';
const CLAIM = '.installing';

let project: string;

/** A separate project, with an npm that only records its folder and its arguments, and prints a line. */
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'latchkey-preinstall-'));
  for (const file of ['package.json', 'package-lock.json', 'tools/preinstall.cjs']) {
    cpSync(join(ROOT, file), join(project, file));
  }
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(ROOT, FOLDER, file), join(project, FOLDER, file));
  }
  mkdirSync(join(project, 'path'));
  writeFileSync(
    join(project, 'path/npm'),
    `#!/bin/sh\necho "\${PWD#${project}} $*" >> "${project}/called"\necho "npm's output"\nexit "\${NPM_STATUS:-0}"\n`,
  );
  chmodSync(join(project, 'path/npm'), 0o755);
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

const environment = (npmStatus = 0) => ({
  PATH: [join(project, 'path'), process.env.PATH].join(delimiter),
  NPM_STATUS: String(npmStatus),
});

/** @param options `ahead`: code that runs before the program */
function run(
  args: string[] = [],
  options: { nodeVersion?: string; npmStatus?: number; ahead?: string } = {},
) {
  const { nodeVersion = '20.19.0', npmStatus, ahead = '' } = options;
  const code = `Object.defineProperty(process.versions, 'node', { value: '${nodeVersion}' });${ahead}`;
  writeFileSync(join(project, 'other-node.cjs'), code);
  return spawnSync(process.execPath, ['--require', './other-node.cjs', 'tools/preinstall.cjs', ...args], {
    cwd: project,
    encoding: 'utf8',
    env: environment(npmStatus),
  });
}

/** Folder and arguments of each call. */
function npmCalls(): string[][] {
  try {
    const calls = readFileSync(join(project, 'called'), 'utf8').trimEnd().split('\n');
    return calls.map((call) => call.split(' '));
  } catch {
    return [];
  }
}

/** Simulates an installation that is this much newer than the lock file. */
function install(youngerByMs: number, { folder = '.', dev = true } = {}): void {
  const installed = join(project, folder, 'node_modules/.package-lock.json');
  mkdirSync(join(project, folder, 'node_modules'));
  writeFileSync(installed, JSON.stringify({ packages: { 'node_modules/a': dev ? { dev } : {} } }));
  const lockTime = new Date('2026-01-01T00:00:00Z');
  utimesSync(join(project, folder, 'package-lock.json'), lockTime, lockTime);
  const installTime = new Date(lockTime.getTime() + youngerByMs);
  utimesSync(installed, installTime, installTime);
}

it.each([
  ['what the programs need', [], '--omit=dev'],
  ['what builds and tests them, too, if asked to', [DEVELOPMENT], DEVELOPMENT],
])('installs %s, without running a script of a package, if nothing is installed', (_, args, option) => {
  // Standard output is that of the next program.
  expect(run(args)).toMatchObject({ status: 0, stdout: '' });
  expect(npmCalls()).toEqual([expect.arrayContaining(['', 'ci', option, '--ignore-scripts'])]);
});

it('adds what builds and tests them to what is installed, without removing that first', () => {
  install(1000, { dev: false });

  expect(run([DEVELOPMENT]).status).toBe(0);
  expect(npmCalls()).toEqual([expect.arrayContaining(['', 'install', '--no-save', DEVELOPMENT])]);
});

it.each([
  [true, DEVELOPMENT],
  [false, '--omit=dev'],
])('installs the same kind again if the lock file is newer; with development: %s', (dev, option) => {
  install(-1000, { dev });

  expect(run().status).toBe(0);
  expect(npmCalls()).toEqual([expect.arrayContaining(['ci', option])]);
});

it('installs the packages of a folder in that folder, and no others', () => {
  expect(run([FOLDER]).status).toBe(0);
  expect(npmCalls()).toEqual([expect.arrayContaining([`/${FOLDER}`, 'ci'])]);
});

it('installs several in order', () => {
  expect(run([DEVELOPMENT, '.', FOLDER]).status).toBe(0);
  expect(npmCalls().map(([folder]) => folder)).toEqual(['', `/${FOLDER}`]);
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

it.each([[[]], [[DEVELOPMENT]], [[DEVELOPMENT, '.', FOLDER]]])(
  'does nothing if the installation is newer: %j',
  (args) => {
    install(1000);
    install(1000, { folder: FOLDER, dev: false });

    expect(run(args)).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(npmCalls()).toEqual([]);
  },
);

it('is refused while another process installs, and says what to do if none does', () => {
  mkdirSync(join(project, CLAIM));

  const { status, stderr } = run();

  expect(status).toBe(1);
  expect(stderr).toBe(
    `latchkey: another process installs the packages; wait until it has ended. If none does, remove ${join(project, CLAIM)}.\n`,
  );
  expect([npmCalls(), existsSync(join(project, CLAIM))]).toEqual([[], true]);
});

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'])('after %s, the next run is not refused', (signal) => {
  writeFileSync(join(project, 'path/npm'), `#!/bin/sh\nkill -${signal.slice(3)} $PPID\nexit 1\n`);

  run();

  expect(existsSync(join(project, CLAIM))).toBe(false);
});

it('installs nothing if another process has just done so', () => {
  const record = join(project, 'node_modules/.package-lock.json');
  const ahead = `
    const fs = require('node:fs');
    const { mkdirSync } = fs;
    fs.mkdirSync = (folder) => {
      mkdirSync('node_modules');
      fs.writeFileSync('${record}', '{"packages":{"node_modules/a":{"dev":true}}}');
      mkdirSync(folder);
    };`;

  expect(run([DEVELOPMENT], { ahead }).status).toBe(0);
  expect(npmCalls()).toEqual([]);
});

it('leaves nothing beside the packages', () => {
  expect(run([DEVELOPMENT, '.', FOLDER]).status).toBe(0);
  expect([CLAIM, join(FOLDER, CLAIM)].filter((each) => existsSync(join(project, each)))).toEqual([]);
});

it.each(['18.20.0', '20.18.9'])('rejects Node %s in one line that says what to do', (nodeVersion) => {
  const { status, stderr } = run([], { nodeVersion });

  expect(status).toBe(1);
  expect(stderr).toBe(`latchkey: Node ${nodeVersion} is too old; install Node 20.19 or later.\n`);
  expect(npmCalls()).toEqual([]);
});

it.each(['20.19.0', '22.0.0', '24.1.0'])('accepts Node %s', (nodeVersion) => {
  install(1000);

  expect(run([], { nodeVersion }).status).toBe(0);
});

it.each([
  [[], 'the packages could not be installed; run `npm ci --ignore-scripts` to see why.'],
  [
    [FOLDER],
    `the packages of ${FOLDER} could not be installed; run \`cd ${FOLDER} && npm ci --ignore-scripts\` to see why.`,
  ],
])('reports that packages cannot be installed: %j', (args, message) => {
  const { status, stderr } = run(args, { npmStatus: 7 });

  expect(status).toBe(1);
  expect(stderr.split('\n').slice(1)).toEqual(["npm's output", `latchkey: ${message}`, '']);
  expect(existsSync(join(project, args[0] ?? '.', CLAIM))).toBe(false);
});

it('denies each install script of the lock files, so that a new one is noticed', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as unknown;
  const locks = execFileSync('git', ['ls-files', '*package-lock.json'], { cwd: ROOT, encoding: 'utf8' });
  const scripts = locks
    .trim()
    .split('\n')
    .map((lock) => {
      const { packages } = read(lock) as { packages: Record<string, { hasInstallScript?: true }> };
      const { allowScripts = {} } = read(lock.replace('-lock', '')) as {
        allowScripts?: Record<string, boolean>;
      };
      const withScript = Object.keys(packages).filter((path) => packages[path]!.hasInstallScript);
      const denied = withScript.map((path) => [path.replace(/^.*node_modules\//, ''), false] as const);
      return { lock, allowScripts, denied: Object.fromEntries(denied) };
    });

  expect(scripts.find(({ lock }) => lock === 'package-lock.json')!.denied).not.toEqual({});
  expect(scripts.map(({ lock, allowScripts }) => [lock, allowScripts])).toEqual(
    scripts.map(({ lock, denied }) => [lock, denied]),
  );
});
