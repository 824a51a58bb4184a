/**
 * Preloaded into programs that tests start, so that they share bundles with the tests of a run. Otherwise
 * every synthesis would bundle all functions again. Only programs in TypeScript: others
 * could not load what follows, and use esbuild only to build themselves.
 */
const Module = require('node:module');
const { join } = require('node:path');

const ONCE = join(__dirname, 'esbuild-once.ts');
const TYPESCRIPT = /\.ts$/;

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = function resolveOnce(request, parent, ...rest) {
  const isBundler = request === 'esbuild' && TYPESCRIPT.test(parent?.filename ?? '');
  return resolveFilename.call(this, isBundler ? ONCE : request, parent, ...rest);
};
