/**
 * Warm reads in one process: each cache is filled once, then read, without network.
 * `node warm.mjs CLIENT_BUNDLE` takes `{ rounds, roundMs }` and responds with the result of `race`.
 */
import { race } from './race.mjs';
import { latchkey } from './warm-latchkey.mjs';
import { libraries } from './warm-libraries.mjs';
import { limits } from './warm-limits.mjs';

// The timers of some libraries would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs }) => {
  const candidates = [...limits(), ...(await latchkey(process.argv[2])), ...(await libraries())];
  process.send(await race(candidates, rounds, roundMs));
});
