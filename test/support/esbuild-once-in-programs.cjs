/**
 * Preloaded into programs that tests start, so that they share bundles with the tests of a run. Otherwise
 * every synthesis would bundle all functions again.
 */
const Module = require('node:module');
const { join } = require('node:path');

const ONCE = join(__dirname, 'esbuild-once.ts');
const IN_A_PACKAGE = /[\\/]node_modules[\\/]/;

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveOnce(request, parent, ...rest) {
  const isBundler = request === 'esbuild' && !IN_A_PACKAGE.test(parent?.filename ?? '');
  return resolveFilename.call(this, isBundler ? ONCE : request, parent, ...rest);
};
