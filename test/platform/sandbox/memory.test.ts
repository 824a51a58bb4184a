import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deploymentPaths } from '../../../platform/sandbox/addresses';
import { MixedLoad, type Send } from './load/mixed-load';
import { PlatformUnderTest, TENANT } from './platform-under-test';

// 5,000 requests altogether; `npm run test:full -- sandbox-memory` sends 100,000.
const REFUSED_ROUNDS = 700;
const MIXED_ROUNDS = 10;
/** Far less than the 56 MB of bodies that are sent, and more than an engine keeps for itself from one look to the next. */
const MOST_GROWTH_BYTES = 12 * 1024 * 1024;
const BODY_CHARS = 20_000;

const { content, contentToken, webhooks } = deploymentPaths(TENANT);
let platform: PlatformUnderTest;
beforeEach(() => (platform = new PlatformUnderTest()));

test('requests that are refused leave nothing behind', async () => {
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

test('the load of the long run is answered as it should be, and the last 200 of its requests are remembered', async () => {
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

/** Without the comparison with the sandbox's documents, which would take most of the time. */
const send: Send = async (method, path, options) => {
  const answer = await platform.sendRaw(method, path, options);
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
};

async function times(count: number, act: () => Promise<void>): Promise<void> {
  for (let n = 0; n < count; n += 1) await act();
}

/** What is in use after garbage was collected, for which jest gives no function. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
