// Runs functions as Lambda does: each instance handles one event at a time, and if none is idle, another one starts. There are at
// most four of a function, because starting them costs much of a machine's time, but not of AWS's. Other events wait.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const MOST_INSTANCES = 4;

/** By code directory: idle instances, the last one used at the end, the number of all, and events that wait for one. */
const pools = new Map();

process.on('message', async ({ id, codeDir, handler, environment, timeoutMs, event }) => {
  if (event === undefined) {
    pools.delete(codeDir);
    process.send({ id });
    return;
  }
  const pool = pools.get(codeDir) ?? { idle: [], count: 0, waiting: [] };
  pools.set(codeDir, pool);
  const instance = await takeFrom(pool, () => load(codeDir, handler));
  const endsAtMs = performance.now() + timeoutMs;
  const context = {
    awsRequestId: String(id),
    functionName: codeDir,
    getRemainingTimeInMillis: () => endsAtMs - performance.now(),
  };
  // Functions read the environment before the first wait of their first event.
  Object.assign(process.env, environment);
  try {
    process.send({ id, answer: (await instance(event, context)) ?? null });
  } catch ({ name, message }) {
    process.send({ id, error: { errorType: name, errorMessage: message } });
  }
  const next = pool.waiting.shift();
  if (next === undefined) pool.idle.push(instance);
  else next(instance);
});

function takeFrom(pool, start) {
  if (pool.idle.length > 0) return pool.idle.pop();
  if (pool.count === MOST_INSTANCES) return new Promise((resolve) => pool.waiting.push(resolve));
  pool.count += 1;
  return start();
}

function load(codeDir, handler) {
  const [file, exported] = handler.split('.');
  const path = require.resolve(join(codeDir, file));
  delete require.cache[path];
  return require(path)[exported];
}
