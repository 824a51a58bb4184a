/**
 * The restore handler with a platform over TLS: `node restore-loopback.mjs FUNCTION_BUNDLE BASE_URL`, one request in
 * flight. Takes `{ rounds, roundMs }` and responds with the result of `race`.
 */
import { createRequire } from 'node:module';

import { countOutput } from './output.mjs';
import { race } from './race.mjs';
import { PEERS } from './restore-peers.mjs';
import { BODY, CONTENT_ID, CONTEXT, PATH, restoreEvent, TENANT_ID } from './restore-request.mjs';
import { senders } from './restore-senders.mjs';

const [functionFile, base] = process.argv.slice(2);
countOutput();
const { handler } = createRequire(import.meta.url)(functionFile);
const send = senders(base);

const bare = (name, sendBare) => ({
  name,
  run: async () => (await sendBare(PATH, BODY, process.env.ACCESS_TOKEN)).status === 200,
});
const handling = (name, run) => ({
  name,
  run: async () => (await run(restoreEvent(), CONTEXT)).statusCode === 200,
});

/** Sends a request and logs the same fields as our handler. */
async function sendLogged(path, body, token) {
  const startedMs = performance.now();
  const answer = await send.https(path, body, token);
  const line = JSON.stringify({
    level: 'INFO',
    timestamp: new Date().toISOString(),
    message: 'restore answered',
    requestId: CONTEXT.awsRequestId,
    tenantId: TENANT_ID,
    contentId: CONTENT_ID,
    ...JSON.parse(body),
    traceId: '1-65f00000-000000000000000000000000',
    code: 'restored',
    status: answer.status,
    apiRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    durationMs: Math.round(performance.now() - startedMs),
    upstreamStatus: answer.status,
  });
  process.stdout.write(`${line}\n`);
  return answer;
}

const PEER = 'middy + Powertools logger + metrics + zod';
const HONO = 'hono + aws-lambda adapter + zod, no log';
const ROUTER = 'Powertools Router + zod, no log';
const candidates = [
  bare('LIMIT: bare undici Client.request', send.undici),
  bare('bare node:https', send.https),
  bare('bare node:https with the same log line', sendLogged),
  handling('latchkey restore', handler),
  bare('bare global fetch', send.fetch),
  bare('bare axios', send.axios),
  handling(`${PEER}, undici`, PEERS[PEER](send.undici)),
  handling(`${PEER}, node:https`, PEERS[PEER](send.https)),
  handling(`${HONO}, undici`, PEERS[HONO](send.undici)),
  handling(`${ROUTER}, undici`, PEERS[ROUTER](send.undici)),
];

// Idle connections would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, roundMs }) =>
  process.send(await race(candidates, rounds, roundMs, { warmUpCalls: 3_000 })),
);
