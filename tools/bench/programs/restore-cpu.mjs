/**
 * The restore handler alone: `node restore-cpu.mjs FUNCTION_BUNDLE`, with the platform stubbed in this process.
 * Takes `{ rounds, roundMs }` and responds with the result of `race`.
 */
import { createRequire } from 'node:module';

import { countOutput } from './output.mjs';
import { cpuMs, race } from './race.mjs';
import { least, powertools, sender } from './restore-peers.mjs';
import { CONTEXT, RECORD, restoreEvent } from './restore-request.mjs';
import { stubHttps } from './restore-stub.mjs';

stubHttps();
countOutput();
const { handler } = createRequire(import.meta.url)(process.argv[2]);

const candidate = (name, run) => ({
  name,
  run: async () => (await run(restoreEvent(), CONTEXT)).statusCode === 200,
});
const candidates = [
  candidate(
    'LIMIT: JSON.parse + token + JSON.stringify',
    least(async () => ({ status: 200, text: RECORD })),
  ),
  candidate('latchkey restore', handler),
  candidate('middy + Powertools logger + metrics + zod', powertools(sender('https://127.0.0.1:1'))),
];

// The SDK's connection would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs }) => {
  process.send(await race(candidates, rounds, roundMs, { warmUpCalls: 10_000, nowMs: cpuMs }));
});
