/**
 * `npm run release:dry`: does what the release workflow does up to publishing, in a temporary folder, and prints the command
 * that would publish. It needs no network and changes nothing. `--tag vVERSION` also checks that tag; `--skip-tests` leaves out
 * the static checks and the tests. Exits with 1 at the first thing that a release must not have.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { publishingCommand } from './publishing';

const ROOT = join(__dirname, '../..');

interface Packed {
  readonly files: readonly { path: string; size: number }[];
  readonly size: number;
  readonly unpackedSize: number;
}

function main(): void {
  const { values } = parseArgs({
    options: { tag: { type: 'string' }, 'skip-tests': { type: 'boolean', default: false } },
  });
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const tag = values.tag ?? `v${version}`;
  const faults = faultsOf(version, tag);
  if (faults.length > 0) {
    console.error(faults.join('\n'));
    process.exitCode = 1;
    return;
  }
  if (!values['skip-tests']) {
    run('npm', ['run', 'check']);
    run('npm', ['test']);
  }
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-release-dry-'));
  try {
    const release = join(folder, 'release');
    mkdirSync(release);
    run(process.execPath, ['--require', 'tsx/cjs', join(__dirname, 'release-files.ts'), release]);
    console.log(contentsOf(release));
    console.log(`would run, in the workflow of the tag ${tag}:\n${publishingCommand('npm', tag, folder)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The texts that name another version than the package's, one line each. */
function faultsOf(version: string, tag: string): string[] {
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const newest = /^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$/m.exec(changelog)?.[1] ?? 'nothing';
  return [
    ...(tag === `v${version}` ? [] : [`tag: found ${tag}; allowed: v${version}`]),
    ...(newest === version ? [] : [`CHANGELOG.md: newest version: found ${newest}; allowed: ${version}`]),
  ];
}

/** Each file of the package with its size. */
function contentsOf(release: string): string {
  const tarball = readdirSync(release).find((file) => file.endsWith('.tgz'))!;
  const args = ['pack', `./${tarball}`, '--dry-run', '--json', '--offline', '--loglevel=error'];
  const text = execFileSync('npm', args, {
    cwd: release,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const [{ files, size, unpackedSize }] = JSON.parse(text) as [Packed];
  const lines = files.map((file) => `${file.size.toLocaleString('en-US').padStart(12)}  ${file.path}`);
  const sizes = [size, unpackedSize].map((each) => each.toLocaleString('en-US'));
  return `${tarball}: ${files.length} files, ${sizes[0]} bytes, ${sizes[1]} unpacked\n${lines.join('\n')}`;
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { cwd: ROOT, stdio: 'inherit', shell: process.platform === 'win32' });
}

main();
