/**
 * `npm run release:files`: writes what a release consists of into `dist/release/`, or the folder that is given: the package,
 * its SBOM, and their checksums. The same commit, Node and npm write the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { sbom } from './sbom';

const ROOT = join(__dirname, '../..');
const SUMS = 'SHA256SUMS';

const npm = (...args: string[]) =>
  execFileSync('npm', args, {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });

function main(given: string | undefined): void {
  const folder = given === undefined ? join(ROOT, 'dist/release') : resolve(given);
  if (given === undefined) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  if (readdirSync(folder).length > 0) {
    console.error(`folder: found files in ${folder}; allowed: an empty folder`);
    process.exitCode = 1;
    return;
  }
  // The package's own script builds it, even if npm is configured to run none.
  npm('pack', '--ignore-scripts=false', '--silent', '--pack-destination', folder);
  const [tarball] = readdirSync(folder);
  writeFileSync(
    join(folder, tarball!.replace(/\.tgz$/, '.cdx.json')),
    `${JSON.stringify(sbom(), null, 2)}\n`,
  );
  const sums = readdirSync(folder)
    .sort()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    );
  writeFileSync(join(folder, SUMS), sums.join(''));
  console.log(`${sums.join('')}in ${folder}`);
}

main(process.argv[2]);
