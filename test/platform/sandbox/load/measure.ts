/**
 * Sends 100,000 requests over TLS to a sandbox in a separate process, and measures its memory every 10,000. The first
 * 30,000 fill the bounded collections. Exit code 1 if the memory grows after that.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { MixedLoad, type Send } from './mixed-load';
import { type MemoryUse, type Served } from './served-sandbox';

const REQUESTS = 100_000;
const FILLING = 30_000;
const LOOK_EVERY = 10_000;
const MOST_GROWTH_BYTES = 5 * 1024 * 1024;

function sender({ origin, caCertificate }: Served): Send {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: caCertificate });
  return async (method, path, { headers, json } = {}) => {
    const body = json && JSON.stringify(json);
    const request = https.request(`${origin}${path}`, {
      method,
      agent,
      headers: { ...headers, ...(body && framing(body)) },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const answer = await text(response);
    return { status: response.statusCode ?? 0, body: answer === '' ? undefined : JSON.parse(answer) };
  };
}

/** Node omits the Content-Length of a DELETE body by default. */
function framing(body: string) {
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}

async function measure(): Promise<number> {
  const sandbox = fork(join(__dirname, 'served-sandbox.ts'), {
    execArgv: ['--expose-gc', '--require', 'tsx/cjs'],
  });
  const told = async () => (await once(sandbox, 'message'))[0] as unknown;
  const load = new MixedLoad(sender((await told()) as Served));
  const heaps: { sent: number; heapBytes: number }[] = [];
  await load.begin();
  for (let n = 0; load.sent < REQUESTS; n += 1) {
    await (load.sent < FILLING ? load.fill(n) : load.round(n));
    if (load.sent < (heaps.length + 1) * LOOK_EVERY) continue;
    sandbox.send('look');
    const { heapBytes, residentBytes } = (await told()) as MemoryUse;
    heaps.push({ sent: load.sent, heapBytes });
    process.stdout.write(
      `${load.sent} requests: heap ${inMib(heapBytes)}, resident ${inMib(residentBytes)}\n`,
    );
  }
  sandbox.disconnect();
  return heaps.at(-1)!.heapBytes - heaps.find(({ sent }) => sent >= FILLING)!.heapBytes;
}

function inMib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

measure().then(
  (growth) => {
    process.stdout.write(`growth after the first ${FILLING} requests: ${inMib(growth)}\n`);
    process.exitCode = growth < MOST_GROWTH_BYTES ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
