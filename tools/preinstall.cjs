/**
 * `node tools/preinstall.cjs [--include=dev] [FOLDER…]`: installs the packages of each folder's lock file that are missing or
 * outdated. Without a folder, those of the project itself: what its programs need, and with `--include=dev` also what builds
 * and tests them. Scripts run it first, so it needs only Node, whose version it checks. Exits with 1 and one line if that fails.
 */
const { lstatSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } = require('node:fs');
const { spawn } = require('node:child_process');
const { setInterval } = require('node:timers');
const { join } = require('node:path');

const root = join(__dirname, '..');
const DEVELOPMENT = '--include=dev';
const args = process.argv.slice(2);
const isForDevelopment = args.includes(DEVELOPMENT);
const folders = args.filter((arg) => arg !== DEVELOPMENT);
/** How often the holder of a lock touches it, and the age at which it has no holder, even if a process has that id again. */
const TOUCHED_EVERY_MS = 1000;
const ABANDONED_AFTER_MS = 15_000;

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

async function install(folder) {
  if (lstatSync(join(root, folder, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder behind the link, which belongs to another checkout.
    fail(`${join(folder, 'node_modules')} is a link to another folder; remove the link, and run this again.`);
  }
  if (!missing(folder)) return;
  takeTurn(join(root, folder, '.installing'));
  // Another process may have installed them in the meantime.
  const how = missing(folder);
  if (!how) return;

  const startedMs = Date.now();
  console.error(`installing the packages of ${join(folder, 'package-lock.json')} …`);
  const status = await npm(
    // No package needs its install script, which could run anything.
    [...how, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    folder,
  );
  if (status !== 0) {
    const where = folder === '.' ? '' : `cd ${folder} && `;
    const whose = folder === '.' ? '' : ` of ${folder}`;
    fail(`the packages${whose} could not be installed; run \`${where}npm ci --ignore-scripts\` to see why.`);
  }
  console.error(`installed in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
}

/** Runs npm in a folder. Returns its exit code; undefined if it could not be started or was ended. */
function npm(npmArgs, folder) {
  return new Promise((resolve) => {
    spawn('npm', npmArgs, {
      cwd: join(root, folder),
      // Standard output is for the script that follows.
      stdio: ['ignore', process.stderr, process.stderr],
      shell: process.platform === 'win32',
    })
      .on('error', () => resolve(undefined))
      .on('exit', (code) => resolve(code ?? undefined));
  });
}

/** Waits until no other process installs into the folder, and keeps others waiting until this process ends. */
function takeTurn(lock) {
  for (let waits = 0; ; waits += 1) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      process.on('exit', () => rmSync(lock, { force: true }));
      setInterval(touch, TOUCHED_EVERY_MS, lock).unref();
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') fail(`found ${error.message}; allowed: a folder that can be written to`);
    }
    const holder = holderOf(lock);
    if (isAbandoned(lock, holder)) rmSync(lock, { force: true });
    else if (waits === 0 && holder !== undefined)
      console.error(`waiting for process ${holder}, which holds ${lock} …`);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
}

function touch(lock) {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // Somebody removed it.
  }
}

/** Whether its holder was killed. In a container that starts again, another process can have the holder's id, also this one. */
function isAbandoned(lock, holder) {
  if (holder !== undefined && (holder === process.pid || !isRunning(holder))) return true;
  return Date.now() - changedAtMs(lock) > ABANDONED_AFTER_MS;
}

/** The process that holds the lock; undefined if it was just released, or was killed before it wrote its id. */
function holderOf(lock) {
  try {
    return Number(readFileSync(lock, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process.
    return error.code === 'EPERM';
  }
}

async function main() {
  for (const folder of folders.length > 0 ? folders : ['.']) await install(folder);
}

main().catch((error) => fail(error.message));
