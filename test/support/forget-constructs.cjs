const Module = require('node:module');
const { dirname, join } = require('node:path');

const REFERENCES = join(
  dirname(require.resolve('aws-cdk-lib/package.json')),
  'core/lib/private/cfn-reference.js',
);

/** The CDK's tokens by the text that stands for them; undefined until it needs them. */
const tokens = () => globalThis.__cdkTokenMap?.stringTokenMap;
/** Texts of tokens that the CDK creates when it is loaded, such as that of the account. */
const lasting = new Set();

const load = Module._load;
let isLoading = false;
Module._load = function noteTokens(...args) {
  if (isLoading) return load.apply(this, args);
  const before = tokens()?.size ?? 0;
  isLoading = true;
  try {
    return load.apply(this, args);
  } finally {
    isLoading = false;
    const size = tokens()?.size ?? 0;
    if (size > before) for (const text of [...tokens().keys()].slice(before)) lasting.add(text);
  }
};

/**
 * Makes the CDK, which test files of a worker share, forget the apps of the file before: it keeps every construct that has a
 * token or is referred to. Otherwise they take hundreds of MB, and time of the garbage collector.
 */
function forgetConstructs() {
  if (tokens() === undefined) return;
  for (const text of tokens().keys()) if (!lasting.has(text)) tokens().delete(text);
  const kept = new Set(tokens().values());
  const numbers = globalThis.__cdkTokenMap.numberTokenMap;
  for (const [number, token] of numbers) if (!kept.has(token)) numbers.delete(number);
  require.cache[REFERENCES]?.exports.CfnReference.referenceTable.clear();
}

module.exports = { forgetConstructs };
