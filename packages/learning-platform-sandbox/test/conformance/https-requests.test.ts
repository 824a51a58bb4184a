import { Agent } from 'node:https';
import { sendOverHttps } from '../../src/conformance/https-requests';
import { type ServedSandbox, serveSandbox } from '../support/served-sandbox';

let sandbox: ServedSandbox;
let agent: Agent;

beforeAll(async () => {
  sandbox = await serveSandbox();
  agent = new Agent({ ca: sandbox.caCertificate });
});
afterAll(async () => {
  agent.destroy();
  await sandbox.close();
});
afterEach(() => jest.useRealTimers());

/** Replaces all faults with this one for the content interface. Returns the affected URL. */
async function contentUrlWith(fault: object): Promise<string> {
  const url = `${sandbox.controlUrl}/faults`;
  await sendOverHttps({ method: 'DELETE', url }, agent);
  await sendOverHttps({ method: 'POST', url, body: JSON.stringify({ target: 'content', ...fault }) }, agent);
  return `${new URL(sandbox.controlUrl).origin}/staging/mea/rest/v1/contents`;
}

it('reads the whole answer, with header names in lower case', async () => {
  const url = await contentUrlWith({ status: 418, body: 'short', headers: { 'X-Tea': 'pot' } });

  const answer = await sendOverHttps({ method: 'GET', url }, agent);

  expect(answer).toMatchObject({ status: 418, body: 'short', headers: { 'x-tea': 'pot' } });
});

it('does not follow redirects', async () => {
  const url = await contentUrlWith({ status: 302, headers: { Location: sandbox.controlUrl } });

  const { status } = await sendOverHttps({ method: 'GET', url }, agent);

  expect(status).toBe(302);
});

it('times out after 30 s', async () => {
  const url = await contentUrlWith({ delayMs: 600_000 });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });

  const sent = sendOverHttps({ method: 'GET', url }, agent);
  jest.advanceTimersByTime(30_000);

  await expect(sent).rejects.toThrow(/^no answer from \S+: none within 30 s$/);
});

it('rejects if the connection breaks', async () => {
  const url = await contentUrlWith({ reset: 'before' });

  const sent = sendOverHttps({ method: 'GET', url }, agent);

  await expect(sent).rejects.toThrow(/^no answer from \S+: ECONNRESET$/);
});

it('stops when the signal aborts', async () => {
  const url = await contentUrlWith({ delayMs: 600_000 });
  const interruption = new AbortController();

  const sent = sendOverHttps({ method: 'GET', url }, agent, interruption.signal);
  interruption.abort();

  await expect(sent).rejects.toMatchObject({ code: 'no_answer' });
});
