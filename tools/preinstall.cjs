/**
 * `node tools/preinstall.cjs [--include=dev] [FOLDER…]`: installs the packages of each folder's lock file that are missing or
 * outdated. Without a folder, those of the project itself: what its programs need, and with `--include=dev` also what builds
 * and tests them. Scripts run it first, so it needs only Node, whose version it checks. Exits with 1 and one line if that fails.
 */
const { lstatSync, mkdirSync, readFileSync, rmdirSync, statSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..');
const DEVELOPMENT = '--include=dev';
const args = process.argv.slice(2);
const isForDevelopment = args.includes(DEVELOPMENT);
const folders = args.filter((arg) => arg !== DEVELOPMENT);

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

/** npm writes this file at the end of every install. */
const recordOf = (folder) => join(root, folder, 'node_modules/.package-lock.json');
const changedAtMs = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs;

/** Whether packages that only build and test the programs are installed. */
function hasDevelopment(folder) {
  try {
    const { packages } = JSON.parse(readFileSync(recordOf(folder), 'utf8'));
    return Object.values(packages).some(({ dev }) => dev);
  } catch {
    return false;
  }
}

/** The arguments for npm, or undefined if nothing needs to be installed. */
function missing(folder) {
  const installedAtMs = changedAtMs(recordOf(folder));
  const isFresh = installedAtMs >= changedAtMs(join(root, folder, 'package-lock.json'));
  const isMore = isForDevelopment && folder === '.' && !hasDevelopment(folder);
  // Unlike `npm ci`, this leaves in place what a running `npm start` uses.
  if (isFresh) return isMore ? ['install', '--no-save', DEVELOPMENT] : undefined;
  return ['ci', isForDevelopment || hasDevelopment(folder) ? DEVELOPMENT : '--omit=dev'];
}

function install(folder) {
  if (lstatSync(join(root, folder, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder behind the link, which belongs to another checkout.
    fail(`${join(folder, 'node_modules')} is a link to another folder; remove the link, and run this again.`);
  }
  if (!missing(folder)) return;
  claim(join(root, folder, '.installing'));
  // Another process may have installed them before the claim.
  const how = missing(folder);
  if (!how) return;
  const startedMs = Date.now();
  console.error(`installing the packages of ${join(folder, 'package-lock.json')} …`);
  // No package needs its install script, which could run anything.
  const args = [...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: join(root, folder),
    // Standard output is for the script that follows.
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    const where = folder === '.' ? '' : `cd ${folder} && `;
    const whose = folder === '.' ? '' : ` of ${folder}`;
    fail(`the packages${whose} could not be installed; run \`${where}npm ci --ignore-scripts\` to see why.`);
  }
  console.error(`installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Two installations of one folder at once would break each other, so the second is refused. */
function claim(place) {
  try {
    mkdirSync(place);
  } catch (error) {
    if (error.code !== 'EEXIST') fail(`found ${error.message}; allowed: a folder that can be written to`);
    fail(`another process installs the packages; wait until it has ended. If none does, remove ${place}.`);
  }
  process.on('exit', () => rmdirSync(place));
  // By default, a signal such as Ctrl-C ends the process without the event above.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
}

for (const folder of folders.length > 0 ? folders : ['.']) install(folder);
