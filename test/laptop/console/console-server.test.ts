import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { HostError, RecordingReporter } from 'cdk-on-loopback/testing';
import { type ConsoleState } from '../../../laptop/console/console-state';
import { type ConsoleServer, startConsoleServer } from '../../../laptop/console/console-server';
import { consoleView } from '../../../laptop/console/console-view';
import { NOW_MS, ShownAccount } from './shown-account';

const state: ConsoleState = consoleView(new ShownAccount().input());
let reporter: RecordingReporter;
let readState: () => Promise<ConsoleState>;
let server: ConsoleServer;

beforeEach(async () => {
  reporter = new RecordingReporter();
  readState = async () => state;
  server = await startConsoleServer({ readState: () => readState(), reporter, port: 0 });
});
afterEach(() => server.close());

/** Not by `fetch`, which sets the Host header and resolves dots in the path itself. */
async function send(method: string, path: string, headers: Record<string, string> = {}) {
  const sent = request(`${server.url.slice(0, -1)}${path}`, { method, headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, text: await text(response) };
}

test('serves the page and its parts with headers that forbid embedding, caching and loading them elsewhere', async () => {
  const page = await send('GET', '/');
  const script = await send('GET', '/console.js');

  expect([page.status, script.status]).toEqual([200, 200]);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'self'") as string,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(page.headers['access-control-allow-origin']).toBeUndefined();
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
});

test.each(['/nothing', '/../console-server.ts'])('serves no other file: %s', async (path) => {
  expect((await send('GET', path)).status).toBe(404);
});

test('answers with the state', async () => {
  const answer = await send('GET', '/state');

  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(answer.text)).toEqual(state);
  expect(state.nowMs).toBe(NOW_MS);
});

test('a request for another host name gets no state', async () => {
  const answer = await send('GET', '/state', { host: 'evil.example' });

  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.text)).toEqual({ message: expect.stringMatching(/^the console /) as string });
});

test('another method is rejected with the allowed one', async () => {
  const { status, headers } = await send('POST', '/state');

  expect([status, headers.allow]).toEqual([405, 'GET']);
});

test('pages that ask at the same time share one read, and the next page gets a new one', async () => {
  let reads = 0;
  let answer: () => void = () => undefined;
  readState = () => {
    reads += 1;
    return new Promise((resolve) => (answer = () => resolve(state)));
  };
  const both = [send('GET', '/state'), send('GET', '/state')];
  await send('GET', '/');
  await new Promise((resolve) => setImmediate(resolve));
  answer();
  await Promise.all(both);
  const readsOfBoth = reads;
  readState = async () => ({ ...state, nowMs: NOW_MS + 1 });

  expect(readsOfBoth).toBe(1);
  expect(JSON.parse((await send('GET', '/state')).text)).toMatchObject({ nowMs: NOW_MS + 1 });
});

test('an error is reported once while it lasts, without a message that could hold a secret', async () => {
  const fail = async (error: Error) => {
    readState = async () => Promise.reject(error);
    return send('GET', '/state');
  };
  const answers = [await fail(new TypeError('CANARY')), await fail(new TypeError('CANARY'))];
  await fail(new HostError('sandbox_failed', 'the sandbox failed to answer'));
  readState = async () => state;
  const recovered = await send('GET', '/state');
  await fail(new TypeError('CANARY'));

  expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  expect(JSON.stringify(answers)).not.toContain('CANARY');
  expect(recovered.status).toBe(200);
  const warning = 'the console cannot read the state of the system: ';
  expect(reporter.warnings).toEqual([
    `${warning}TypeError`,
    `${warning}the sandbox failed to answer`,
    `${warning}TypeError`,
  ]);
});
