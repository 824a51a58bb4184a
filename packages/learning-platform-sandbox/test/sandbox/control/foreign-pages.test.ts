import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { type RunningServer, startServer } from '../../../src/sandbox/https-server';
import { platformError, PlatformUnderTest } from '../platform-under-test';

const FAULT = JSON.stringify({ target: 'token', status: 500 });

let platform: PlatformUnderTest;
let server: RunningServer;
beforeEach(async () => {
  platform = new PlatformUnderTest();
  server = await startServer(platform.app, 0);
});
afterEach(() => server.close());

/** Injects a fault over the network. */
async function inject(headers: Record<string, string>) {
  const sent = request(`${server.origin}/_sandbox/faults`, {
    method: 'POST',
    ca: server.caCertificate,
    agent: false,
    // Of the certificate, which a browser's user may have accepted for any name.
    servername: 'localhost',
    headers,
  });
  sent.end(FAULT);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(await text(response)) as unknown };
}

const faults = async () => ((await platform.control('GET', 'faults')).body as { faults: unknown[] }).faults;
const port = () => new URL(server.origin).port;

/** What Node's fetch sends with a POST. */
async function headersOfFetch(): Promise<IncomingHttpHeaders> {
  const recorder = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  const received = once(recorder, 'request') as Promise<[IncomingMessage]>;
  await fetch(`http://127.0.0.1:${(recorder.address() as AddressInfo).port}`, {
    method: 'POST',
    body: FAULT,
  });
  recorder.close();
  const [{ headers }] = await received;
  const ofAddressAndBody = ['host', 'content-length'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofAddressAndBody.includes(name)));
}

test.each<[string, () => Promise<Record<string, string>>]>([
  ['curl', async () => ({ 'user-agent': 'curl/8.5.0', accept: '*/*' })],
  ['fetch of Node', async () => (await headersOfFetch()) as Record<string, string>],
  ['a program that uses the other name of this machine', async () => ({ host: `localhost:${port()}` })],
  ['a typed address', async () => ({ 'sec-fetch-site': 'none' })],
  ['a page of the sandbox itself', async () => ({ origin: server.origin, 'sec-fetch-site': 'same-origin' })],
])('a command of %s is carried out', async (_, headers) => {
  expect(await inject(await headers())).toMatchObject({ status: 201 });

  expect(await faults()).toHaveLength(1);
});

test.each<[string, () => Record<string, string>, string]>([
  ['a foreign page', () => ({ origin: 'https://attacker.example' }), 'other origins'],
  ['a page on another port', () => ({ origin: 'https://127.0.0.1:9' }), 'other origins'],
  ['a file or a sandboxed frame', () => ({ origin: 'null' }), 'other origins'],
  ['a page over plain HTTP', () => ({ origin: server.origin.replace('https', 'http') }), 'other origins'],
  ['a foreign form or link', () => ({ 'sec-fetch-site': 'cross-site' }), 'other sites'],
  ['another server of this machine', () => ({ 'sec-fetch-site': 'same-site' }), 'other sites'],
  ['another name (DNS rebinding)', () => ({ host: `attacker.example:${port()}` }), 'requests for'],
  ['another port', () => ({ host: '127.0.0.1:9' }), 'requests for'],
  [
    'another name with its own origin',
    () => ({ host: `attacker.example:${port()}`, origin: `https://attacker.example:${port()}` }),
    'requests for',
  ],
])('a command of %s is refused', async (_, headers, reason) => {
  const { status, body } = await inject(headers());

  expect(status).toBe(403);
  expect(body).toEqual({
    ...platformError(403, 'Forbidden'),
    message: expect.stringContaining(reason) as string,
  });
  expect(await faults()).toEqual([]);
});

test('a preflight is refused, without any permission', async () => {
  const headers = { origin: 'https://attacker.example', 'access-control-request-method': 'POST' };

  const answer = await platform.sendRaw('OPTIONS', '/_sandbox/faults', { headers });

  expect(answer.status).toBe(403);
  expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
