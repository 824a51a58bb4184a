'use strict';
/**
 * One cold start: `node start.cjs BUNDLE EVENT` loads a bundle, calls its handler, and exits at the first HTTP response.
 * Prints as JSON the milliseconds until the bundle was loaded and until that response.
 */
const { subscribe } = require('node:diagnostics_channel');

const [file, event] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 25_000 };
let loadedMs;
subscribe('http.client.response.finish', () => {
  const answeredMs = performance.now() - startedMs;
  write(JSON.stringify({ loadedMs, answeredMs }), () => process.exit(0));
});

const startedMs = performance.now();
const { handler } = require(file);
loadedMs = performance.now() - startedMs;
// The process exits before the invocation ends, so its outcome does not matter.
handler(JSON.parse(event), context).catch(() => undefined);
