const { AsyncLocalStorage } = require('node:async_hooks');
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const { forgetConstructs } = require('./forget-constructs.cjs');

const OWN_SOURCE = readFileSync(module.filename);

/** What `share-outside.ts` and the transformed packages see of the worker outside jest's sandbox. */
AsyncLocalStorage[Symbol.for('latchkey.outside')] = { load: require, env: process.env, forgetConstructs };

/**
 * Makes jest load a package outside the sandbox of a test file, once per worker: aws-cdk-lib in each file would take half of
 * the time of all stack tests. Only for packages whose state no test changes, and whose errors and collections nobody
 * compares by class.
 */
module.exports = {
  process: () => ({
    code: `module.exports = require('node:async_hooks').AsyncLocalStorage[Symbol.for('latchkey.outside')].load(__filename);`,
  }),
  getCacheKey: () => createHash('sha256').update(OWN_SOURCE).digest('hex'),
};
