import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deploymentPaths } from '../../src/sandbox/addresses';
import { PlatformUnderTest, TENANT } from './platform-under-test';

const REFUSED_ROUNDS = 700;
/** Far less than the 56 MB of sent bodies, and more than the engine's own fluctuations. */
const MAX_GROWTH_BYTES = 12 * 1024 * 1024;
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

  expect(heapBytes() - before).toBeLessThan(MAX_GROWTH_BYTES);
});

/** Skips the comparison with the OpenAPI documents, which would take most of the time. */
const send = async (...request: Parameters<PlatformUnderTest['sendRaw']>) => {
  await (await platform.sendRaw(...request)).text();
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
