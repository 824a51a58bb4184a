'use strict';
/**
 * One cold start: `node start.cjs BUNDLE EVENT` loads a bundle, calls its handler, and exits at the first HTTP response. Prints as
 * JSON the milliseconds until the bundle was loaded and until that response, both as wall time and as CPU time.
 */
const { subscribe } = require('node:diagnostics_channel');
const { setImmediate } = require('node:timers');

const [file, event] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 25_000 };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
let loadedMs;
let loadedCpuMs;
subscribe('http.client.response.finish', () => {
  const times = {
    loadedMs,
    answeredMs: performance.now() - startedMs,
    cpuMs: cpuMs() - startedCpuMs,
    invocationCpuMs: cpuMs() - loadedCpuMs,
  };
  write(JSON.stringify(times), () => process.exit(0));
});

const startedCpuMs = cpuMs();
const startedMs = performance.now();
const { handler } = require(file);
// Lambda's runtime asks for the first event after that, so that work the bundle left in the queue is done by then.
setImmediate(() => {
  loadedMs = performance.now() - startedMs;
  loadedCpuMs = cpuMs();
  // The outcome does not matter: the process exits before the invocation ends.
  handler(JSON.parse(event), context).catch(() => undefined);
});
