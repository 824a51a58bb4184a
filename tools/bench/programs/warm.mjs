/**
 * Warm reads in one process: every cache is filled once, then read; no network.
 * `node warm.mjs CLIENT_BUNDLE`; takes `{ rounds, roundMs }`, answers what `race` gives.
 */
import { race } from './race.mjs';
import { latchkey } from './warm-latchkey.mjs';
import { libraries } from './warm-libraries.mjs';
import { limits } from './warm-limits.mjs';

// Some libraries have timers, which would keep an orphan alive.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs }) => {
  const candidates = [...limits(), ...(await latchkey(process.argv[2])), ...(await libraries())];
  process.send(await race(candidates, rounds, roundMs));
});
