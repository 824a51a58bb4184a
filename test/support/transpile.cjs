const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const { transformSync, version } = require('esbuild');

const OWN_SOURCE = readFileSync(module.filename, 'utf8');

/**
 * Has esbuild transpile what jest loads, as it does for `npm start` and the bundles. Types are checked by `npm run build`.
 * Imports come before everything else, as in ES modules: a call of `jest.mock` belongs in a module that is imported first.
 * @see https://jestjs.io/docs/code-transformation
 */
module.exports = {
  process(source, sourcefile) {
    const { code, map } = transformSync(source, {
      sourcefile,
      loader: 'ts',
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
    });
    return { code, map };
  },

  /** Jest keeps the code from run to run. By its own key another esbuild, or other options here, would be given the old one. */
  getCacheKey(source, sourcefile) {
    return createHash('sha256')
      .update(JSON.stringify([version, OWN_SOURCE, sourcefile, source]))
      .digest('hex');
  },
};
