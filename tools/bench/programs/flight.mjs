/**
 * Many simultaneous requests for one token: `node flight.mjs CLIENT_BUNDLE FUNCTION_BUNDLE KEY`.
 * Takes `{ names: true }`, or `{ candidate, asks, isNew }` and responds with `{ wallMs, failed }`.
 */
import { latchkey } from './flight-latchkey.mjs';
import { LIBRARIES } from './flight-libraries.mjs';

const [clientFile, functionFile, key] = process.argv.slice(2);
const candidates = {
  'latchkey/client over token-refresh': latchkey(clientFile, functionFile, JSON.parse(key)),
  ...LIBRARIES,
};
let ask;

// The timers of some libraries would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ names, candidate, asks, isNew }) => {
  if (names) return process.send(Object.keys(candidates));
  if (isNew) ask = candidates[candidate]();
  const startedMs = performance.now();
  const results = await Promise.allSettled(Array.from({ length: asks }, () => ask()));
  const wallMs = performance.now() - startedMs;
  process.send({ wallMs, failed: results.filter(({ status }) => status === 'rejected').length });
});
