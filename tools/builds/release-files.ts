/**
 * `npm run release:files`: writes what a release consists of into `dist/release/`, or the folder that is given: the package,
 * its SBOM, and their checksums. The same commit, Node and npm write the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { sha256Hex } from '../../core/secrets/sha256';
import { buildPackage } from './package';
import { sbom } from './sbom';

const ROOT = join(__dirname, '../..');
const SUMS = 'SHA256SUMS';

function main(given: string | undefined): void {
  const folder = given === undefined ? join(ROOT, 'dist/release') : resolve(given);
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    console.error(`folder: found files in ${folder}; allowed: an empty folder`);
    process.exitCode = 1;
    return;
  }
  const unpacked = mkdtempSync(join(tmpdir(), 'latchkey-release-'));
  const bundles = buildPackage(unpacked);
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: unpacked,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  rmSync(unpacked, { recursive: true });
  const [tarball] = readdirSync(folder);
  writeFileSync(
    join(folder, tarball!.replace(/\.tgz$/, '.cdx.json')),
    `${JSON.stringify(sbom(bundles), null, 2)}\n`,
  );
  const sums = readdirSync(folder)
    .sort()
    .map((file) => `${sha256Hex(readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, SUMS), sums.join(''));
  console.log(`${sums.join('')}in ${folder}`);
}

main(process.argv[2]);
