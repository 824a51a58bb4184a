import { type ServerResponse } from 'node:http';
import { type ServerOptions } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { sendHttps, sendHttpsTrusting } from '../../../../lambdas/shared/adapters/https-client';
import { CertificateAuthority, selfSigned } from '../../../support/lambdas/certificates';
import { failureOf } from '../../../support/lambdas/failure-of';
import { type LoopbackServer } from '../../../support/lambdas/loopback-server';
import { trustedServers } from '../../../support/lambdas/trusted-servers';

const CANARY = 'canary-secret';
const TLS_1_1 = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;

const servers = trustedServers();
let server: LoopbackServer;
const cleanups: (() => void)[] = [];

beforeEach(async () => (server = await servers.start()));
afterEach(() => {
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

const requestTo = ({ url }: { url: string }) => ({
  url: new URL(`${url}/path?query`),
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-canary': CANARY } as Record<string, string>,
  body: JSON.stringify({ secret: CANARY }),
  connectTimeoutMs: 5_000,
  totalTimeoutMs: 5_000,
  maxAnswerBytes: 1_000,
});
const send = (change: Partial<ReturnType<typeof requestTo>> = {}) =>
  sendHttps({ ...requestTo(server), ...change });

describe('a request over TLS', () => {
  test('arrives complete, with its length in bytes, and gets its response', async () => {
    server.behavior = (response) =>
      response.writeHead(201, { 'X-One': 'a', 'Set-Cookie': ['b', 'c'] }).end('gräßlich');

    const answer = await send({ body: '"ü"' });

    expect(server.requests).toEqual([
      {
        method: 'POST',
        path: '/path?query',
        headers: expect.objectContaining({ 'content-length': '4', 'x-canary': CANARY }) as object,
        body: '"ü"',
      },
    ]);
    const headers = { 'x-one': 'a', 'set-cookie': 'b, c' };
    expect(answer).toMatchObject({ status: 201, headers, body: 'gräßlich' });
  });

  test('has one host and one length if the caller gives them', async () => {
    await send({ body: '{}', headers: { host: 'localhost', 'content-length': '2' } });

    expect(server.requests[0]!.headers).toMatchObject({ host: 'localhost', 'content-length': '2' });
  });

  test.each<[string, object, number, number]>([
    ['keeps its connection for the next request', {}, 3_900, 1],
    ['uses a new connection if the kept one was idle for 4 s, as in a frozen process', {}, 4_100, 2],
    ['keeps its connection for a second less than the peer says', { 'Keep-Alive': 'timeout=3' }, 1_900, 1],
    ['uses a new connection afterwards', { 'Keep-Alive': 'timeout=3, max=100' }, 2_100, 2],
  ])('%s', async (_, headers, laterMs, connections) => {
    server.behavior = (response) => response.writeHead(200, { ...headers }).end('{}');
    await send();
    const endedAtMs = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => endedAtMs + laterMs);
    server.behavior = (response) => response.end('{"for":"this request"}');

    expect((await send()).body).toBe('{"for":"this request"}');
    expect(server.connections).toBe(connections);
  });

  test.each<[string, (connection: Socket) => void]>([
    ['was closed by the other side', (connection) => connection.end()],
    [
      'received an unexpected response',
      (connection) => connection.write('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
    ],
  ])('uses a new connection if the kept one %s a moment ago', async (_, meddle) => {
    let kept: Socket | undefined;
    server.behavior = (response) => {
      kept ??= response.socket!;
      response.end('{"for":"this request"}');
    };
    await send();
    meddle(kept!);
    // Data that arrives in this turn stays unread until the next one, as after a freeze.
    await nextTurn();

    const answer = await send();

    expect(answer).toMatchObject({ status: 200, body: '{"for":"this request"}' });
    expect(server.connections).toBe(2);
  });

  /** Sends requests, which the server answers once the last has arrived. @returns its responses */
  async function sendTogether(count: number): Promise<ServerResponse[]> {
    const open: ServerResponse[] = [];
    server.behavior = (response) => {
      if (open.push(response) === count) for (const each of open) each.end();
    };
    const timeouts = { connectTimeoutMs: 25_000, totalTimeoutMs: 25_000 };
    await Promise.all(Array.from({ length: count }, () => send(timeouts)));
    return open;
  }

  test.each([0, 1, 2])('does not use a closed one of three kept connections: number %i', async (closed) => {
    const open = await sendTogether(3);
    server.behavior = (response) => response.end('{"for":"this request"}');
    open[closed]!.req.socket.end();
    await nextTurn();

    const answers = await Promise.all([send(), send()]);

    expect(answers.map(({ body }) => body)).toEqual(Array(2).fill('{"for":"this request"}'));
    expect(server.connections).toBe(3);
  });

  test('never waits for the connection of another one', async () => {
    await sendTogether(65);

    expect(server.connections).toBe(65);
  }, 30_000);

  test('that has an impossible header rejects and is not sent, over a new connection and a kept one', async () => {
    const headers = { 'x-split': 'a\r\nx-injected: b' };

    await expect(send({ headers })).rejects.toThrow('Invalid character in header');
    await send();
    await expect(send({ headers })).rejects.toThrow('Invalid character in header');

    expect(server.requests).toHaveLength(1);
  });

  test.each(['http://localhost/', 'ftp://localhost/', 'file:///etc/hostname'])(
    'is never sent to %s',
    (address) => {
      expect(() => send({ url: new URL(address) })).toThrow(TypeError);
    },
  );
});

test('T1: a redirect is returned, never followed', async () => {
  const elsewhere = await servers.start();
  const location = `${elsewhere.url}/steal`;
  server.behavior = (response) => response.writeHead(307, { location }).end();

  expect(await send()).toMatchObject({ status: 307, headers: { location } });
  expect(server.requests).toHaveLength(1);
  expect(elsewhere.connections).toBe(0);
});

describe('an untrusted server gets no byte of the request', () => {
  test.each<[string, () => Promise<ServerOptions>]>([
    ['its certificate has expired', () => servers.issue({ lastsDays: -1 })],
    ['its certificate is self-signed', selfSigned],
    ['its certificate has another name', () => servers.issue({ name: 'elsewhere.example' })],
    [
      'its certificate is of an untrusted authority',
      async () => (await CertificateAuthority.create()).issue(),
    ],
    ['it supports only TLS 1.1', async () => ({ ...(await servers.issue()), ...TLS_1_1 })],
  ])('%s', async (_, make) => {
    const impostor = await servers.start(await make());

    await expect(send({ url: new URL(impostor.url) })).rejects.toMatchObject({ code: 'tls', isSent: false });
    expect(impostor.connections).toBe(1);
    await impostor.stop();
    expect(impostor.receivedBytes).toBe(0);
  });

  test('it does not support TLS', async () => {
    const url = await listen((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));

    await expect(send({ url })).rejects.toMatchObject({ code: 'tls', isSent: false });
  });
});

test('a request that trusts one authority reaches no server with a certificate of another', async () => {
  const [known, unknown] = [await CertificateAuthority.create(), await CertificateAuthority.create()];
  const sendTrusting = sendHttpsTrusting(known.certificatePem);
  const ours = await servers.start(await known.issue());
  const foreign = await servers.start(await unknown.issue());

  await expect(sendTrusting(requestTo(ours))).resolves.toMatchObject({ status: 200 });
  await expect(sendTrusting(requestTo(foreign))).rejects.toMatchObject({ code: 'tls', isSent: false });
  expect(foreign.requests).toEqual([]);
});

describe('a connection that cannot be established', () => {
  test('because it is refused, has sent nothing', async () => {
    const url = new URL(server.url);
    await server.stop();

    await expect(send({ url })).rejects.toMatchObject({
      code: 'connect',
      isSent: false,
      message: 'no connection (ECONNREFUSED)',
    });
  });

  test('because it is reset during the TLS handshake, has sent nothing', async () => {
    const url = await listen((socket) => socket.resetAndDestroy());

    await expect(send({ url })).rejects.toMatchObject({ code: 'connect', isSent: false });
  });

  test('because the TLS handshake never ends, is given up in time and closed', async () => {
    let closed: Promise<unknown> | undefined;
    const url = await listen((socket) => {
      closed = new Promise((resolve) => socket.once('close', resolve));
      socket.on('error', () => undefined).resume();
    });

    await expect(send({ url, connectTimeoutMs: 20 })).rejects.toMatchObject({
      code: 'connect',
      isSent: false,
      message: 'no connection to localhost within 20 ms',
    });
    await closed;
  });
});

describe('an incomplete response', () => {
  test.each<[string, string]>([
    ['it switches to another protocol', '101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
    ['it is not HTTP', 'SSH-2.0-x\r\n'],
    ['it has two lengths', '200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
    ['its headers are too long', `200 OK\r\nx: ${'x'.repeat(20_000)}\r\ncontent-length: 2\r\n\r\n{}`],
  ])('because %s, is unreadable', async (_, text) => {
    server.behavior = ({ socket }) => void socket!.write(text.startsWith('SSH') ? text : `HTTP/1.1 ${text}`);

    await expect(send()).rejects.toMatchObject({ code: 'unreadable', isSent: true });
  });

  test('because its body arrives too slowly, is given up in time and its connection closed', async () => {
    const closed = new Promise((resolve) => {
      server.behavior = (response) => {
        response.socket!.once('close', resolve);
        response.writeHead(200).write('{"access');
      };
    });

    await expect(send({ totalTimeoutMs: 100 })).rejects.toMatchObject({
      code: 'timeout',
      isSent: true,
      message: 'no complete answer within 100 ms',
    });
    await closed;
  });

  test.each<[string, string, (response: ServerResponse) => void]>([
    ['after the request was sent', 'connection broke (ECONNRESET)', ({ socket }) => socket!.destroy()],
    [
      'during the body',
      'connection broke during the answer',
      (response) =>
        response.writeHead(200, { 'content-length': '100' }).write('{', () => response.socket!.destroy()),
    ],
  ])('because the connection is reset %s, may have had an effect', async (_, message, behavior) => {
    server.behavior = behavior;

    await expect(send()).rejects.toMatchObject({ code: 'reset', isSent: true, message });
  });

  test('because a kept connection was closed, counts as sent', async () => {
    await send();
    server.behavior = ({ socket }) => socket!.destroy();

    await expect(send()).rejects.toMatchObject({ code: 'reset', isSent: true });
    expect(server.connections).toBe(1);
  });

  test('because it never ends, is cut off at the limit, and the connection is closed', async () => {
    const closed = new Promise<void>((resolve) => {
      server.behavior = (response) => {
        response.socket!.once('close', resolve);
        const pour = (): void =>
          void response.write('x'.repeat(500), (error) => (error ? undefined : pour()));
        pour();
      };
    });

    await expect(send({ maxAnswerBytes: 2_000 })).rejects.toMatchObject({
      code: 'oversized',
      message: 'the answer is larger than 2000 bytes',
    });
    await closed;
  });

  test('is none if it has exactly as many bytes as the limit', async () => {
    server.behavior = (response) => response.end('x'.repeat(1_000));

    await expect(send()).resolves.toMatchObject({ status: 200 });
  });
});

test('no error contains a header or a body', async () => {
  server.behavior = ({ socket }) => socket!.destroy();
  const reset = await failureOf(send());
  server.behavior = (response) => response.end(CANARY.repeat(1_000));
  const oversized = await failureOf(send());

  for (const { message, stack, cause } of [reset, oversized]) {
    expect(`${message} ${stack} ${JSON.stringify(cause)}`).not.toContain(CANARY);
  }
});

/** Starts a TCP server on loopback until the test ends. @returns its address */
async function listen(onConnection: (socket: Socket) => void): Promise<URL> {
  const bare = createServer((socket) => {
    cleanups.push(() => socket.destroy());
    onConnection(socket);
  });
  cleanups.push(() => bare.close());
  await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
  return new URL(`https://localhost:${(bare.address() as AddressInfo).port}`);
}
