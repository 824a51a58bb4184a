/**
 * Runs before `npm start`, `npm run sandbox` and `npm test`, and needs only Node. It checks Node's version, and installs from
 * the lock file if `node_modules` is missing or outdated. Exits with 1 and one line if that fails.
 */
const { existsSync, lstatSync, statSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..');
const lock = join(root, 'package-lock.json');
/** npm writes this file at the end of every install. */
const installed = join(root, 'node_modules', '.package-lock.json');

function fail(message) {
  console.error(`latchkey: ${message}`);
  process.exit(1);
}

const wanted = require(join(root, 'package.json')).engines.node.replace('>=', '');
const [major, minor] = process.versions.node.split('.').map(Number);
const [wantedMajor, wantedMinor] = wanted.split('.').map(Number);
if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  fail(`Node ${process.versions.node} is too old; install Node ${wanted} or later.`);
}

const modules = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false });
if (modules?.isSymbolicLink()) {
  // npm would empty the folder behind the link, which belongs to another checkout.
  fail('node_modules is a link to another folder; remove the link, and run this again.');
}

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lock).mtimeMs) {
  const startedMs = Date.now();
  console.log('installing the packages of package-lock.json …');
  const { status, error } = spawnSync(
    'npm',
    // No package needs its install script, which could run anything.
    ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    },
  );
  if (error || status !== 0)
    fail('the packages could not be installed; run `npm ci --ignore-scripts` to see why.');
  console.log(`installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}
