/**
 * Builds the command `latchkey` into `dist/latchkey.js`, and the sandbox that it starts into `dist/sandbox.js`: each one file
 * with everything in it. Beside each lies the list of the files that went into it, and beside both the licences. Needs
 * nothing but esbuild.
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
const NOTICES = join(OUT, 'THIRD-PARTY-NOTICES.txt');
const ENTRIES = { latchkey: 'bin/latchkey.ts', sandbox: 'sandbox/main.ts' };

const builtFile = (program) => join(OUT, `${program}.js`);
const inputsFile = (program) => join(OUT, `${program}.inputs.json`);

/** Builds one of the programs. Returns the files of packages that went into it. */
function build(program) {
  const { outputFiles, metafile } = require('esbuild').buildSync({
    absWorkingDir: ROOT,
    entryPoints: [ENTRIES[program]],
    outfile: builtFile(program),
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
  const inputs = Object.keys(metafile.inputs);
  const sources = inputs.filter((input) => !input.startsWith('node_modules/'));
  replace(inputsFile(program), JSON.stringify(['package-lock.json', 'bin/build-cli.cjs', ...sources]));
  replace(builtFile(program), outputFiles[0].contents);
  return inputs.filter((input) => input.startsWith('node_modules/'));
}

/** Builds all, with the licences of all. */
function buildAll() {
  replace(NOTICES, noticesOf(Object.keys(ENTRIES).flatMap(build)));
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
  const written = `${file}.${process.pid}`;
  writeFileSync(written, contents);
  renameSync(written, file);
}

/** Whether what is built of a program is made of the sources as they are now. */
function isFresh(program) {
  if (!existsSync(builtFile(program)) || !existsSync(inputsFile(program))) return false;
  const builtMs = statSync(builtFile(program)).mtimeMs;
  const inputs = JSON.parse(readFileSync(inputsFile(program), 'utf8'));
  return inputs.every((input) => {
    const found = statSync(join(ROOT, input), { throwIfNoEntry: false });
    return found !== undefined && found.mtimeMs < builtMs;
  });
}

module.exports = { build, isFresh };
if (require.main === module) buildAll();
