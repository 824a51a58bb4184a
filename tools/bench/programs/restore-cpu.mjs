/**
 * The restore handler alone: `node restore-cpu.mjs FUNCTION_BUNDLE`, with the platform stubbed in this process.
 * Takes `{ rounds, roundMs }` and responds with the result of `race`, or `{ calls }` and responds with milliseconds by
 * hostile request.
 */
import { createRequire } from 'node:module';

import { countOutput } from './output.mjs';
import { cpuMs, race } from './race.mjs';
import { HOSTILE } from './restore-hostile.mjs';
import { least, PEERS } from './restore-peers.mjs';
import { CONTEXT, RECORD, restoreEvent } from './restore-request.mjs';
import { senders } from './restore-senders.mjs';
import { stubHttps } from './restore-stub.mjs';

stubHttps();
countOutput();
const { handler } = createRequire(import.meta.url)(process.argv[2]);
const send = senders('https://127.0.0.1:1').https;

const candidate = (name, run) => ({
  name,
  run: async () => (await run(restoreEvent(), CONTEXT)).statusCode === 200,
});
const candidates = [
  candidate(
    'LIMIT: JSON.parse + token + JSON.stringify',
    least(async () => ({ status: 200, text: RECORD })),
  ),
  candidate('the same, sent by node:https', least(send)),
  candidate('latchkey restore', handler),
  ...Object.entries(PEERS).map(([name, peer]) => candidate(name, peer(send))),
];

async function millisecondsOf(event) {
  const startedMs = performance.now();
  const { statusCode } = await handler(event, CONTEXT);
  if (statusCode < 400) throw new Error(`a hostile request got ${statusCode}`);
  return performance.now() - startedMs;
}

// The SDK's connection would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs, calls }) => {
  if (rounds !== undefined)
    return process.send(await race(candidates, rounds, roundMs, { warmUpCalls: 10_000, nowMs: cpuMs }));
  const results = [];
  for (const { name, event } of HOSTILE) {
    const milliseconds = [];
    for (let call = 0; call < calls; call += 1) milliseconds.push(await millisecondsOf(event()));
    results.push({ name, milliseconds });
  }
  process.send(results);
});
