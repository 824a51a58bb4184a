/**
 * Builds the command `latchkey` into `dist/latchkey.js`: one file with everything in it, each part run when it is needed.
 * Beside it lie the list of the files that went into it, and the licences. Needs nothing but esbuild.
 */
const {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

const ROOT = join(__dirname, '..');
const OUT = join(ROOT, 'dist');
const BUILT = join(OUT, 'latchkey.js');
const INPUTS = join(OUT, 'latchkey.inputs.json');
const NOTICES = join(OUT, 'THIRD-PARTY-NOTICES.txt');

function build() {
  const { outputFiles, metafile } = require('esbuild').buildSync({
    absWorkingDir: ROOT,
    entryPoints: ['bin/latchkey.ts'],
    outfile: BUILT,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
    write: false,
  });
  mkdirSync(OUT, { recursive: true });
  const sources = Object.keys(metafile.inputs).filter((input) => !input.startsWith('node_modules/'));
  const packaged = Object.keys(metafile.inputs).filter((input) => input.startsWith('node_modules/'));
  replace(NOTICES, noticesOf(packaged));
  replace(INPUTS, JSON.stringify(['package-lock.json', 'bin/build-cli.cjs', ...sources]));
  replace(BUILT, outputFiles[0].contents);
}

/** The licences of the packages that went into the built file, which ask to be passed on with it: each text once. */
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
  const written = `${file}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, file);
}

/** Whether what is built is made of the sources as they are now. */
function isFresh() {
  if (!existsSync(BUILT) || !existsSync(INPUTS)) return false;
  const builtMs = statSync(BUILT).mtimeMs;
  const inputs = JSON.parse(readFileSync(INPUTS, 'utf8'));
  return inputs.every((input) => {
    const found = statSync(join(ROOT, input), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < builtMs;
  });
}

module.exports = { BUILT, build, isFresh };
if (require.main === module) build();
