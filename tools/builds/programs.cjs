/**
 * Builds the toolkit's programs: the command `latchkey` and those that it starts. Each becomes one file, which starts several
 * times as fast as the sources. All are in the package. Requires only esbuild.
 */
const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = join(__dirname, '../..');
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';
const PROGRAMS = {
  latchkey: { entry: 'bin/latchkey.ts', file: 'dist/latchkey.js' },
  sandbox: { entry: 'platform/sandbox/main.ts', file: 'dist/sandbox.js' },
  start: { entry: 'local/supervisor/main.ts', file: 'dist/start.js' },
  // Must be two folders deep, like those of its sources that locate files relative to themselves.
  host: { entry: 'local/main.ts', file: 'dist/local/host.js' },
};
/** File timestamps have a coarse clock: a file written later may have a timestamp that is this much earlier. */
const TICK_MS = 20;

const recordOf = (file) => file.replace(/\.js$/, '.inputs.json');
const changedAtMs = (file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs;

/** Builds one program. Returns the package files in it. */
function build({ entry, file }) {
  const startedAtMs = Date.now();
  const written = `${file}.${process.pid}`;
  const { metafile } = require('esbuild').buildSync({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: written,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    // Errors are thrown.
    logLevel: 'silent',
    metafile: true,
  });
  const inputs = Object.keys(metafile.inputs);
  const sources = [
    'package-lock.json',
    'tools/builds/programs.cjs',
    ...inputs.filter((input) => !isPackage(input)),
  ];
  const times = Object.fromEntries(sources.map((source) => [source, changedAtMs(source)]));
  // Another process may build it at the same time. The record holds the timestamp of this process's file only.
  times[file] = changedAtMs(written);
  renameSync(join(ROOT, written), join(ROOT, file));
  // If a source changed during the build, it is unknown which version was built, so no record is written.
  const isCertain = sources.every((source) => times[source] < startedAtMs - TICK_MS);
  if (isCertain) replace(recordOf(file), JSON.stringify(times));
  return inputs.filter(isPackage);
}

const isPackage = (input) => input.startsWith('node_modules/');

/** Builds all programs, with the licenses of the packages in them. Returns those packages. */
function buildAll() {
  const inputs = Object.values(PROGRAMS).flatMap(build);
  const folders = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)[0]));
  const packages = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    return { name, version, license, text: licenseText(folder, license) };
  });
  replace(NOTICES, noticesOf(packages));
  return packages;
}

/** The licenses of the packages in the built files, which must be distributed with them. Each text appears once. */
function noticesOf(packages) {
  const packagesOf = new Map();
  for (const { name, version, license, text } of packages) {
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const notices = [...packagesOf].map(([text, names]) => `${names.join('\n')}\n\n${text}`);
  return notices.join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The texts that a package wants distributed. Some packages of the AWS SDK contain none: our own has the same license. */
function licenseText(folder, license) {
  const files = readdirSync(join(ROOT, folder)).filter((each) => /^(licen[cs]e|notice|copying)/i.test(each));
  if (files.length > 0) {
    return files.map((file) => readFileSync(join(ROOT, folder, file), 'utf8').trim()).join('\n\n');
  }
  if (license !== 'Apache-2.0') throw new Error(`${folder} has no text of its license, ${license}`);
  return readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim();
}

/** Writes a file atomically, because other processes may be reading or writing it. */
function replace(file, contents) {
  const written = join(ROOT, `${file}.${process.pid}`);
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, contents);
  renameSync(written, join(ROOT, file));
}

/** Whether a program was built from the current sources: none has a newer timestamp than in the record. */
function isFresh(program) {
  try {
    const times = JSON.parse(readFileSync(join(ROOT, recordOf(program.file)), 'utf8'));
    return Object.entries(times).every(([file, timeMs]) => changedAtMs(file) === timeMs);
  } catch {
    return false;
  }
}

/** Returns the path of a program, after building it if its sources changed. */
function upToDate(name) {
  const program = PROGRAMS[name];
  if (!isFresh(program)) build(program);
  return join(ROOT, program.file);
}

module.exports = { buildAll, upToDate };
if (require.main === module) buildAll();
