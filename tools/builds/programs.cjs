/**
 * Builds the programs of the toolkit: the command `latchkey`, the sandbox that it starts, and the host of the laptop. Each is
 * one file with everything in it, which starts several times as fast as its sources. Needs nothing but esbuild.
 */
const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const ROOT = join(__dirname, '../..');
const NOTICES = 'dist/THIRD-PARTY-NOTICES.txt';
const PROGRAMS = {
  latchkey: { entry: 'bin/latchkey.ts', file: 'dist/latchkey.js', isPacked: true },
  sandbox: { entry: 'platform/sandbox/main.ts', file: 'dist/sandbox.js', isPacked: true },
  // Two folders deep, as are its sources that name files by their place.
  host: { entry: 'local/main.ts', file: 'dist/local/host.js', isPacked: false },
};
/** A file that was written later may bear a time that is so much earlier: file systems go by a clock with long ticks. */
const TICK_MS = 20;

const recordOf = (file) => file.replace(/\.js$/, '.inputs.json');
const changedAtMs = (file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs;

/** Builds one of the programs. Returns the files of packages that went into it. */
function build({ entry, file, isPacked }) {
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
    // What is not passed on keeps the names and lines that a stack trace shows.
    minify: isPacked,
    legalComments: 'none',
    // What fails is thrown.
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
  // Another process may build it too: the record is of this file, and of no other that takes its place.
  times[file] = changedAtMs(written);
  renameSync(join(ROOT, written), join(ROOT, file));
  // Of a source that changed meanwhile, nobody knows which state went in.
  const isCertain = sources.every((source) => times[source] < startedAtMs - TICK_MS);
  if (isCertain) replace(recordOf(file), JSON.stringify(times));
  return inputs.filter(isPackage);
}

const isPackage = (input) => input.startsWith('node_modules/');

/** Builds all, with the licences of what is passed on. */
function buildAll() {
  const packed = Object.values(PROGRAMS).flatMap((program) => {
    const packages = build(program);
    return program.isPacked ? packages : [];
  });
  replace(NOTICES, noticesOf(packed));
}

/** The licences of the packages that went into the built files, which ask to be passed on with them: each text once. */
function noticesOf(inputs) {
  const folders = new Set(inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)[0]));
  const packagesOf = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
    const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file === undefined ? '' : readFileSync(join(ROOT, folder, file), 'utf8').trim();
    packagesOf.set(text, [...(packagesOf.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  const notices = [...packagesOf].map(([text, packages]) => `${packages.join('\n')}\n\n${text}`);
  return notices.join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Another process may be reading it, or writing it too. */
function replace(file, contents) {
  const written = join(ROOT, `${file}.${process.pid}`);
  mkdirSync(dirname(written), { recursive: true });
  writeFileSync(written, contents);
  renameSync(written, join(ROOT, file));
}

/** Whether what is built of a program is made of the sources as they are now: all are as old as they were then. */
function isFresh(program) {
  try {
    const times = JSON.parse(readFileSync(join(ROOT, recordOf(program.file)), 'utf8'));
    return Object.entries(times).every(([file, timeMs]) => changedAtMs(file) === timeMs);
  } catch {
    return false;
  }
}

/** The path of a program, which is built first where it is not made of the sources as they are now. */
function upToDate(name) {
  const program = PROGRAMS[name];
  if (!isFresh(program)) build(program);
  return join(ROOT, program.file);
}

module.exports = { upToDate };
if (require.main === module) buildAll();
