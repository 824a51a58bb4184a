import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deploymentPaths } from '../../../platform/sandbox/addresses';
import { MixedLoad, type Send } from './load/mixed-load';
import { PlatformUnderTest, TENANT } from './platform-under-test';

// 5,000 requests in total; `npm run test:full -- sandbox-memory` sends 100,000.
const REFUSED_ROUNDS = 700;
const MIXED_ROUNDS = 10;
/** Far less than the 56 MB of sent bodies, and more than the engine's own fluctuations. */
const MOST_GROWTH_BYTES = 12 * 1024 * 1024;
const BODY_CHARS = 20_000;

const { content, contentToken, webhooks } = deploymentPaths(TENANT);
let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

test('refused requests leave nothing in memory', async () => {
  const headers = await platform.bearer('api/all');
  const text = 'x'.repeat(BODY_CHARS);
  const refuse = async () => {
    await send('POST', `${contentToken}/oauth2/token/${TENANT.tenantId}`, { json: { scope: text } });
    await send('POST', `${content}/contents`, { headers, json: { title: text } });
    await send('GET', `${webhooks}?${text}`, { headers: { authorization: `Bearer ${text}` } });
    await send('POST', '/_sandbox/faults', { json: { target: text } });
  };
  await times(REFUSED_ROUNDS / 10, refuse);
  const before = heapBytes();

  await times(REFUSED_ROUNDS, refuse);

  expect(heapBytes() - before).toBeLessThan(MOST_GROWTH_BYTES);
});

test('the mixed load gets the expected statuses, and its last 200 requests are kept', async () => {
  const load = new MixedLoad(send);
  await load.begin();

  for (let round = 0; round < MIXED_ROUNDS; round += 1) {
    await load.fill(round);
    await load.round(round);
  }

  const { requests } = (await send('GET', '/_sandbox/requests')).body as { requests: unknown[] };
  expect(requests).toHaveLength(200);
  expect(load.sent).toBeGreaterThan(200);
});

/** Skips the comparison with the OpenAPI documents, which would take most of the time. */
const send: Send = async (method, path, options) => {
  const answer = await platform.sendRaw(method, path, options);
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
};

async function times(count: number, act: () => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n += 1) await act();
}

/** Heap bytes after a garbage collection. jest does not expose `gc`. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
