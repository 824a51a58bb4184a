import { Agent } from 'node:https';
import { sendOverHttps } from '../../../platform/conformance/https-requests';
import { type ServedSandbox, serveSandbox } from './served-sandbox';

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

/** Lets the requests to the content interface meet that fault only, and says where that is. */
async function contentUrlWith(fault: object): Promise<string> {
  const url = `${sandbox.controlUrl}/faults`;
  await sendOverHttps({ method: 'DELETE', url }, agent);
  await sendOverHttps({ method: 'POST', url, body: JSON.stringify({ target: 'content', ...fault }) }, agent);
  return `${new URL(sandbox.controlUrl).origin}/staging/mea/rest/v1/contents`;
}

it('reads the whole answer, with the names of its headers in lower case', async () => {
  const url = await contentUrlWith({ status: 418, body: 'short', headers: { 'X-Tea': 'pot' } });

  const answer = await sendOverHttps({ method: 'GET', url }, agent);

  expect(answer).toMatchObject({ status: 418, body: 'short', headers: { 'x-tea': 'pot' } });
});

it('follows no redirect', async () => {
  const url = await contentUrlWith({ status: 302, headers: { Location: sandbox.controlUrl } });

  const { status } = await sendOverHttps({ method: 'GET', url }, agent);

  expect(status).toBe(302);
});

it('waits 30 s for an answer, and no longer', async () => {
  const url = await contentUrlWith({ delayMs: 600_000 });
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance', 'Date'] });

  const sent = sendOverHttps({ method: 'GET', url }, agent);
  jest.advanceTimersByTime(30_000);

  await expect(sent).rejects.toThrow(/^no answer from \S+: none within 30 s$/);
});

it('tells a connection that breaks from an answer', async () => {
  const url = await contentUrlWith({ reset: 'before' });

  const sent = sendOverHttps({ method: 'GET', url }, agent);

  await expect(sent).rejects.toThrow(/^no answer from \S+: ECONNRESET$/);
});

it('ends when it is told to', async () => {
  const url = await contentUrlWith({ delayMs: 600_000 });
  const interruption = new AbortController();

  const sent = sendOverHttps({ method: 'GET', url }, agent, interruption.signal);
  interruption.abort();

  await expect(sent).rejects.toMatchObject({ code: 'no_answer' });
});
