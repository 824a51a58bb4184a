const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const { transformSync, version } = require('esbuild');

require('./compile-once.cjs');

const OWN_SOURCE = readFileSync(module.filename, 'utf8');

/**
 * Makes jest transpile with esbuild, as `npm start` and the bundles do; `npm run build` checks types.
 * Imports run before other code, as in ES modules, so a module with `jest.mock` must be imported first.
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
      // Jest runs no import() in CommonJS.
      supported: { 'dynamic-import': false },
    });
    // import() names the file that a build would write, and require() finds the source.
    return { code: code.replaceAll(/\brequire\("(\.{1,2}\/[^"]+)\.js"\)/g, 'require("$1")'), map };
  },

  /**
   * Jest keeps transpiled code between runs. The key includes esbuild's version and these options, so that
   * changes take effect.
   */
  getCacheKey(source, sourcefile) {
    return createHash('sha256')
      .update(JSON.stringify([version, OWN_SOURCE, sourcefile, source]))
      .digest('hex');
  },
};
