import { type IncomingMessage, request } from 'node:http';
import { ActionInputError } from '../../../local/console/action-input';
import { type ActionOutcome, type ConsoleState } from '../../../local/console/console-state';
import { type ConsoleServer, startConsoleServer } from '../../../local/console/console-server';
import { consoleView } from '../../../local/console/console-view';
import { LiveState } from '../../../local/console/live-state';
import { announcedConnection } from '../../support/idle-connections';
import { RecordingReporter } from '../../support/local/recording-reporter';
import { firstEvent, NOW_MS, ShownAccount } from './shown-account';

const state: ConsoleState = consoleView(new ShownAccount().input());
const reporter = new RecordingReporter();
const actions: { name: string; body: string }[] = [];
let act: () => Promise<ActionOutcome>;
let server: ConsoleServer;

beforeEach(async () => {
  actions.length = 0;
  act = async () => ({ ok: true, message: 'Done.' });
  server = await startConsoleServer({
    live: new LiveState({ readState: async () => state, onError: () => undefined }),
    runAction: (name, body) => {
      actions.push({ name, body });
      return act();
    },
    reporter,
    port: 0,
  });
});
afterEach(() => server.close());

interface Answer {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

function send(
  method: string,
  path: string,
  { headers = {}, body = '' }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(`${server.url.slice(0, -1)}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    })
      .on('error', reject)
      .end(body);
  });
}
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  send('POST', path, { body, headers: { 'content-type': 'application/json', ...headers } });
const messageOf = ({ text }: Answer): string => (JSON.parse(text) as ActionOutcome).message;

/** Opens a stream of events, and waits for its first one. */
const openEvents = (): Promise<{ text: string; close: () => void }> => firstEvent(server.url);

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

test('idle connections stay open, so that none closes while the page sends an action', async () => {
  expect(await announcedConnection(server.url)).toBe('keep-alive');
});

test.each(['/tsconfig.json', '/nothing', '/../console-server.ts', '/%2e%2e/console-server.ts'])(
  'serves no other file: %s',
  async (path) => {
    expect((await send('GET', path)).status).toBe(404);
  },
);

test('sends the state as an event as soon as a page connects', async () => {
  const { text, close } = await openEvents();
  close();

  expect(text).toMatch(/^retry: 1000\n\ndata: \{/);
  expect(JSON.parse(/^data: (.*)$/m.exec(text)![1]!)).toMatchObject({ nowMs: NOW_MS });
});

test('the 21st page is rejected, and can connect when another has closed', async () => {
  const pages = await Promise.all(Array.from({ length: 20 }, openEvents));

  const refused = await send('GET', '/events');
  pages.pop()!.close();
  let text = '';
  while (!text.startsWith('retry')) {
    text = await openEvents().then(
      (page) => (pages.push(page), page.text),
      () => '',
    );
  }

  expect(refused).toMatchObject({ status: 503 });
  expect(messageOf(refused)).toBe('20 pages are already open; close one');
  for (const { close } of pages) close();
});

test('an action gets its body, and its outcome is the response', async () => {
  act = async () => ({ ok: false, message: 'No.' });

  const answer = await post('/actions/refresh-token', '{"a":1}');

  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ ok: false, message: 'No.' });
  expect(actions).toEqual([{ name: 'refresh-token', body: '{"a":1}' }]);
});

test.each<[string, () => Promise<Answer>, number]>([
  ['from another origin', () => post('/actions/x', '{}', { origin: 'https://evil.example' }), 403],
  ['from another site', () => post('/actions/x', '{}', { 'sec-fetch-site': 'cross-site' }), 403],
  ['for another host name', () => post('/actions/x', '{}', { host: 'evil.example' }), 403],
  ['as a form would send it', () => post('/actions/x', '{}', { 'content-type': 'text/plain' }), 415],
  ['by GET', () => send('GET', '/actions/x'), 405],
  ['with a body that is too large', () => post('/actions/x', `"${'x'.repeat(4095)}"`), 413],
])('an action %s is rejected, and nothing is done', async (_, sent, status) => {
  const answer = await sent();

  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toEqual({ ok: false, message: expect.any(String) as string });
  expect(actions).toEqual([]);
});

test('another method is rejected with the allowed one, and other sites cannot read the state', async () => {
  const [other, byGet] = [await send('OPTIONS', '/'), await send('GET', '/actions/x')];
  const foreign = await send('GET', '/events', { headers: { 'sec-fetch-site': 'cross-site' } });

  expect([other.status, other.headers.allow]).toEqual([405, 'GET']);
  expect([byGet.status, byGet.headers.allow]).toEqual([405, 'POST']);
  expect(foreign.status).toBe(403);
});

test.each([
  ['unknown_action', 404],
  ['invalid_input', 400],
] as const)('%s is answered with %i and its message', async (code, status) => {
  act = async () => Promise.reject(new ActionInputError(code, 'this is wrong'));

  const answer = await post('/actions/x', '{}');

  expect(answer.status).toBe(status);
  expect(messageOf(answer)).toBe('this is wrong');
});

test('an internal error is reported without its message, which could hold a secret', async () => {
  act = async () => Promise.reject(new TypeError('CANARY'));

  const answer = await post('/actions/x', '{}');

  expect(answer.text).not.toContain('CANARY');
  expect(messageOf(answer)).toBe('Internal error in the local system. See the terminal that runs npm start');
  expect(reporter.warnings).toEqual(['the console failed to handle a request: TypeError']);
});
