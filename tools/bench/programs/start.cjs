'use strict';
/**
 * One cold start: `node start.cjs BUNDLE EVENT UNTIL` loads a bundle, calls its handler, and exits at the first HTTP response,
 * or at the handler's answer. Prints as JSON the milliseconds until the bundle was loaded and until that response or answer,
 * both as wall time and as CPU time.
 */
const { subscribe } = require('node:diagnostics_channel');
const { setImmediate } = require('node:timers');

const [file, event, until] = process.argv.slice(2);
const write = process.stdout.write.bind(process.stdout);
process.stdout.write = () => true;

const context = { awsRequestId: 'any', getRemainingTimeInMillis: () => 25_000 };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};
let loadedMs;
let loadedCpuMs;
const end = () => {
  const times = {
    loadedMs,
    answeredMs: performance.now() - startedMs,
    cpuMs: cpuMs() - startedCpuMs,
    invocationCpuMs: cpuMs() - loadedCpuMs,
  };
  write(JSON.stringify(times), () => process.exit(0));
};
if (until === 'first response') subscribe('http.client.response.finish', end);

const startedCpuMs = cpuMs();
const startedMs = performance.now();
const { handler } = require(file);
// Lambda's runtime asks for the first event after that, so that work the bundle left in the queue is done by then.
setImmediate(() => {
  loadedMs = performance.now() - startedMs;
  loadedCpuMs = cpuMs();
  const answer = handler(JSON.parse(event), context);
  // Until the first response, the outcome does not matter: the process exits before the invocation ends.
  if (until === 'first response') answer.catch(() => undefined);
  else
    answer.then(({ statusCode = 200, policyDocument }) => {
      const effect = policyDocument?.Statement[0].Effect ?? 'Allow';
      if (statusCode !== 200 || effect !== 'Allow') throw new Error(`found ${statusCode}, ${effect}`);
      end();
    });
});
