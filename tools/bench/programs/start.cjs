'use strict';
/**
 * One cold start: `node start.cjs BUNDLE EVENT` loads a bundle, calls its handler, and ends with the first answer that
 * came over HTTP. Prints milliseconds as JSON: until the bundle was loaded, until that answer was there.
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
// What becomes of the rest of the invocation does not matter: the process ends before.
handler(JSON.parse(event), context).catch(() => undefined);
