/**
 * `npm run check:licenses`: names each package of the lock files whose license is not in the list, and exits with 1 if there
 * is any. Reads only the lock files, into which npm copies the licenses as SPDX expressions.
 */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const LOCKS = ['.', 'tools/bench', 'tools/docs-site', 'tools/lint', 'test/mutation', 'test/packaging'].map(
  (folder) => join(folder, 'package-lock.json'),
);

/** Their packages may be part of what is distributed, with the notices that the build writes. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
]);
/** Licenses with more conditions, of packages that only run during development. */
const ALLOWED_FOR = {
  '@iconify-json/simple-icons': ['CC0-1.0'],
  argparse: ['PSF-2.0', 'Python-2.0'],
  'axe-core': ['MPL-2.0'],
  'caniuse-lite': ['CC-BY-4.0'],
};

/** An expression that it does not understand is not allowed. */
function isAllowed(name, license = '') {
  if (ALLOWED_FOR[name]?.includes(license)) return true;
  const expression = license.replace(/^\(([^()]*)\)$/, '$1');
  return expression.split(' OR ').some((each) => each.split(' AND ').every((id) => ALLOWED.has(id)));
}

let count = 0;
for (const lock of LOCKS) {
  for (const [folder, { version, license, link }] of Object.entries(
    JSON.parse(readFileSync(lock, 'utf8')).packages,
  )) {
    // The project itself and its own packages.
    if (link || !folder.includes('node_modules/')) continue;
    count += 1;
    const name = folder.replace(/^.*node_modules\//, '');
    if (isAllowed(name, license)) continue;
    console.error(`${lock}: ${name} ${version}: found ${license ?? 'no license'}`);
    process.exitCode = 1;
  }
}
if (!process.exitCode) console.log(`The licenses of ${count} packages are allowed`);
