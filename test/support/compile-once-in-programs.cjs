/**
 * Preloaded into programs that tests start: what V8 has compiled of a large file, such as a built program, is kept for the
 * other processes of a test run. Compiling takes a third of the time of a short command.
 */
const { createHash } = require('node:crypto');
const { readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { dirname, join } = require('node:path');
const { Script } = require('node:vm');

/** Smaller files compile faster than they are found. */
const LARGE = 200_000;
/** Node cannot find what kept code imports. Its own modules can be required, and a program with others is not kept. */
const OWN_IMPORT = /\bimport\((["']node:[a-z_/]+["'])\)/g;
const OTHER_IMPORT = /(?<![.\w$])import\((?!["']node:)[^)]*\)(?!\s*\{)/;

const folder = process.env.LATCHKEY_TEST_RUN;
const compile = Module.prototype._compile;
if (folder !== undefined) {
  Module.prototype._compile = function compileOnce(content, filename, ...rest) {
    if (content.length < LARGE || OTHER_IMPORT.test(content))
      return compile.call(this, content, filename, ...rest);
    const run = compiled(content, filename).runInThisContext();
    const require = Module.createRequire(filename);
    return run.call(this.exports, this.exports, require, this, filename, dirname(filename));
  };
}

function compiled(content, filename) {
  const file = join(folder, `code-${createHash('sha256').update(content).digest('hex')}`);
  const cachedData = contentsOf(file);
  const code = content.replace(/^#!.*/, '').replaceAll(OWN_IMPORT, 'Promise.resolve(require($1))');
  const script = new Script(Module.wrap(code), { filename, cachedData });
  // At the end, functions that were called are compiled as well.
  if (cachedData === undefined) process.once('exit', () => keep(file, script.createCachedData()));
  return script;
}

function contentsOf(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Writes to a temporary file first, since other processes may be reading this one. */
function keep(file, data) {
  const written = `${file}.${process.pid}`;
  try {
    writeFileSync(written, data);
    renameSync(written, file);
  } catch {
    // The test run has ended, and has removed its folder.
  }
}
