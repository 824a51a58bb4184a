/**
 * The restore handler with a platform over TLS: `node restore-loopback.mjs FUNCTION_BUNDLE BASE_URL`, one request in
 * flight. Takes `{ rounds, warmUpRounds }` and responds with the result of `alternate`.
 */
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { countOutput, outputOf } from './output.mjs';
import { alternate } from './race.mjs';
import { powertools, sender } from './restore-peers.mjs';
import { BODY, CALLER, CONTENT_ID, CONTEXT, PATH, restoreEvent, TENANT_ID } from './restore-request.mjs';

const [functionFile, base] = process.argv.slice(2);
countOutput();
const { handler } = createRequire(import.meta.url)(functionFile);
const send = sender(base);

const bare = (name, sendBare) => ({
  name,
  run: async () => (await sendBare(PATH, BODY, process.env.ACCESS_TOKEN)).status === 200,
});
const handling = (name, run) => ({
  name,
  run: async () => (await run(restoreEvent(), CONTEXT)).statusCode === 200,
});

/** Sends a request and writes the two lines of our handler, who restored what and the metrics. */
const withLines = (sendBare) => async (path, body, token) => {
  const startedMs = performance.now();
  const answer = await sendBare(path, body, token);
  const durationMs = Math.round(performance.now() - startedMs);
  const line = JSON.stringify({
    level: 'INFO',
    timestamp: new Date().toISOString(),
    message: 'restore answered',
    requestId: CONTEXT.awsRequestId,
    tenantId: TENANT_ID,
    code: 'restored',
    durationMs,
    status: answer.status,
    upstreamStatus: answer.status,
    apiRequestId: 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
    contentId: CONTENT_ID,
    ...JSON.parse(body),
    ...CALLER,
    traceId: '1-65f00000-000000000000000000000000',
  });
  process.stdout.write(`${line}\n`);
  const metrics = JSON.stringify({
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        {
          Namespace: 'Latchkey',
          Dimensions: [['environment', 'platformRegion']],
          Metrics: [{ Name: 'RestoreLatency', Unit: 'Milliseconds' }],
        },
      ],
    },
    environment: 'staging',
    platformRegion: 'global',
    Restored: 1,
    RestoreLatency: durationMs,
  });
  process.stdout.write(`${metrics}\n`);
  return answer;
};

const LIMIT = bare('LIMIT: bare node:https with the same log lines', withLines(send));
const OURS = handling('latchkey restore', handler);
const candidates = [
  LIMIT,
  OURS,
  handling('middy + Powertools logger + metrics + zod, node:https', powertools(send)),
];

/** @throws {Error} if the bare candidate does not write what our handler writes, but for the times */
async function requireSameLines() {
  const TIMES = /(?<="(?:timestamp|Timestamp|durationMs|RestoreLatency)":)(?:\d+|"[^"]+")/g;
  const found = await outputOf(LIMIT.run);
  const wanted = await outputOf(OURS.run);
  if (found.replace(TIMES, '') !== wanted.replace(TIMES, ''))
    throw new Error(`the log lines differ: found\n${found}wanted\n${wanted}`);
}

// Idle connections would keep the process running after its parent has exited.
process.once('disconnect', () => process.exit());
process.on('message', async ({ rounds, warmUpRounds }) => {
  // The first call also writes a metric that later ones do not.
  await OURS.run();
  await requireSameLines();
  process.send(await alternate(candidates, rounds, warmUpRounds, nextTurn));
});
