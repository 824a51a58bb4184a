const { transformSync } = require('esbuild');

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
};
