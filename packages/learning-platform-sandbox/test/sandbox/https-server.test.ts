import { once } from 'node:events';
import { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { type RunningServer, startServer } from '../../src/sandbox/https-server';
import { announcedConnection } from '../../../../test/support/idle-connections';
import { deploymentPaths } from '../../src/sandbox/addresses';
import { PlatformUnderTest, TENANT } from './platform-under-test';

let platform: PlatformUnderTest;
let server: RunningServer;
const unexpectedErrors: Error[] = [];

beforeEach(async () => {
  platform = new PlatformUnderTest({}, { onUnexpectedError: (error) => unexpectedErrors.push(error) });
  server = await startServer(platform.app, 0);
});
afterEach(async () => {
  await server.close();
  unexpectedErrors.length = 0;
});

function address() {
  return { host: '127.0.0.1', port: Number(new URL(server.origin).port), ca: server.caCertificate };
}

test('closing breaks connections that are still in the handshake', async () => {
  const { host, port } = address();
  const silent = connect(port, host);
  await once(silent, 'connect');
  // Connections are accepted in order: once this one is, the server also knows the silent one.
  const later = tls.connect(address());
  await once(later, 'secureConnect');
  later.destroy();

  const closed = Promise.all([server.close(), once(silent, 'close')]);

  await expect(closed).resolves.toBeDefined();
});

test('idle connections stay open, so that none closes while a client sends a request', async () => {
  expect(await announcedConnection(server.origin, server.caCertificate)).toBe('keep-alive');
});

test('an invalid host gets 400 and is not an unexpected error', async () => {
  const socket = tls.connect(address());
  socket.write('GET /_sandbox/tenants HTTP/1.1\r\nHost: xn--\r\nConnection: close\r\n\r\n');

  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  expect(unexpectedErrors).toEqual([]);
});

test('a client that supports only TLS 1.1 is refused', async () => {
  const TLS_1_1 = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

  const [error] = (await once(tls.connect({ ...address(), ...TLS_1_1 }), 'error')) as [NodeJS.ErrnoException];

  expect(error.code).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
});

describe('a client that sent a large body on its only connection', () => {
  const contents = `${deploymentPaths(TENANT).content}/contents`;

  test.each([
    ['one too large', 'POST', contents, 2 * 1024 * 1024, 413],
    ['one to an unknown operation', 'POST', '/_sandbox/nothing', 500_000, 404],
    ['one without a token', 'POST', contents, 500_000, 401],
    ['one to an operation without a body', 'DELETE', '/_sandbox/faults', 500_000, 204],
  ])('can send its next request: %s', async (_, method, path, bytes, status) => {
    const bearer = { ...(await platform.bearer('api/all')), 'content-type': 'application/json' };
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: server.caCertificate });
    const send = async (request: https.RequestOptions, body = '') => {
      const sent = https.request(new URL(path, server.origin), { agent, ...request });
      sent.end(body);
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    };

    const headers = { 'content-length': bytes, ...(status === 413 && bearer) };

    const first = await send({ method, headers }, 'a'.repeat(bytes));
    const second = await send({ method: 'GET', path: '/_sandbox/faults' });

    expect([first, second]).toEqual([status, 200]);
    agent.destroy();
  });
});
