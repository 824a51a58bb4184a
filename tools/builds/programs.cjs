/**
 * Builds the toolkit's programs: the command `latchkey` and those that it starts. Each becomes one file, which starts several
 * times as fast as the sources. Requires only esbuild.
 */
const { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { basename, dirname, join } = require('node:path');

const ROOT = join(__dirname, '../..');
/** The programs in the package. */
const PROGRAMS = {
  latchkey: { entry: 'bin/latchkey.ts', file: 'dist/latchkey.js' },
  sandbox: { entry: 'packages/learning-platform-sandbox/src/sandbox/main.ts', file: 'dist/sandbox.js' },
  conformance: {
    entry: 'packages/learning-platform-sandbox/src/conformance/main.ts',
    file: 'dist/conformance.js',
  },
  prove: { entry: 'packages/aws-proof/src/main.ts', file: 'dist/prove.js' },
  start: { entry: 'laptop/supervisor/main.ts', file: 'dist/start.js' },
  // With the files that its sources find beside themselves.
  host: {
    entry: 'laptop/main.ts',
    file: 'dist/laptop/host.js',
    beside: ['packages/cdk-on-loopback/src/functions/bootstrap.cjs', 'laptop/console/page'],
  },
};
/** Programs that run only in a checkout. */
const OF_CHECKOUT = {
  'npm-start': {
    entry: 'bin/start.ts',
    file: 'dist/npm-start.js',
    external: ['../tools/builds/programs.cjs'],
  },
  // The CDK app, with the functions' bundles where it looks for them. The CDK reads files beside its own.
  app: {
    entry: 'bin/app.ts',
    file: 'dist/app/app.js',
    external: ['aws-cdk-lib', 'cdk-nag', 'constructs', 'esbuild'],
    functions: 'dist/app/functions',
  },
};
/** File timestamps have a coarse clock: a file written later may have a timestamp that is this much earlier. */
const TICK_MS = 20;

const recordOf = (file) => file.replace(/\.js$/, '.inputs.json');
const changedAtMs = (file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs;

/** Builds one program. Returns the folders of the npm packages in it. */
function build({ entry, file, external = [], functions, beside = [] }) {
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
    // As in lib/bundling/bundle.ts.
    external: [...external, 'supports-color'],
    minify: true,
    legalComments: 'none',
    // Errors are thrown.
    logLevel: 'silent',
    metafile: true,
  });
  const inputs = [
    ...Object.keys(metafile.inputs),
    ...(functions ? buildFunctions(functions) : []),
    ...beside.flatMap((place) => copyBeside(file, place)),
  ];
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
  return packagesIn(inputs);
}

/** Builds the functions into a folder, as their own module does. Returns the inputs. */
function buildFunctions(folder) {
  const source = join(ROOT, 'lib/bundling/bundle.ts');
  const { outputFiles: compiled } = require('esbuild').buildSync({
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
  });
  const bundling = new Module(source);
  bundling._compile(compiled[0].text, source);
  const { outputFiles, metafile } = bundling.exports.buildFunctions();
  for (const output of outputFiles) replace(join(folder, bundling.exports.builtFile(output)), output.text);
  return Object.keys(metafile.inputs);
}

/** Copies a file, or the files of a folder that are served, to the folder of a program. Returns the paths of the originals. */
function copyBeside(program, place) {
  const copies = statSync(join(ROOT, place)).isFile()
    ? [[place, basename(place)]]
    : readdirSync(join(ROOT, place))
        .filter((name) => /\.(css|html|js|svg)$/.test(name))
        .map((name) => [join(place, name), join(basename(place), name)]);
  for (const [from, to] of copies) replace(join(dirname(program), to), readFileSync(join(ROOT, from)));
  return copies.map(([from]) => from);
}

const isPackage = (input) => input.startsWith('node_modules/');

/** Returns the folders of the npm packages among the inputs of a build. */
function packagesIn(inputs) {
  const folders = inputs.filter(isPackage).map((each) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(each)[0]);
  return [...new Set(folders)].sort();
}

/** Builds all programs of the package. Returns the folders of the npm packages in them, by file. */
function buildAll() {
  return Object.fromEntries(Object.values(PROGRAMS).map((program) => [program.file, build(program)]));
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
  const program = PROGRAMS[name] ?? OF_CHECKOUT[name];
  if (!isFresh(program)) build(program);
  return join(ROOT, program.file);
}

module.exports = { buildAll, packagesIn, upToDate };
if (require.main === module) buildAll();
