import * as fc from 'fast-check';
import { connect as connectPlain } from 'node:net';
import { type ConnectionOptions } from 'node:tls';

import { type Canary, findCanaries } from '../support/canaries';
import { RestoreApiUnderTest, START_TIMEOUT_MS } from '../support/restore-api/restore-api-under-test';
import { answersIn, isDocumented } from './support/raw-answers';
import { exchange, type RawAnswer, type RawRequest } from './support/raw-connection';
import { fuzzedRawRequest, rawRequest, type RightRequest } from './support/raw-requests';
import { IS_FULL, printFigures, SEED } from '../support/test-size';

const CONNECTIONS = IS_FULL ? 4_000 : 150;
const AT_ONCE = 50;
const TIMEOUT_MS = IS_FULL ? 900_000 : 60_000;

let api: RestoreApiUnderTest;
let right: RightRequest;
let canaries: Canary[];
let figures = '';
beforeAll(async () => {
  api = await RestoreApiUnderTest.start();
  const { pathname, host } = new URL(api.url);
  const path = `${pathname}/tenants/${api.tenants[0].tenantId}/contents/unknown/restore`;
  right = { path, host, authorization: api.basic() };
  canaries = [
    ...api.tenants.map(({ apiKey }) => ({ name: 'API key', value: apiKey })),
    ...(['api/read', 'api/write', 'api/all'] as const).map((scope) => ({
      name: scope,
      value: api.bearer(scope).slice('Bearer '.length),
    })),
  ];
}, START_TIMEOUT_MS);
afterAll(async () => {
  await api?.stop();
  printFigures(figures);
});
afterEach(async () => {
  expect(api.functions.failures.filter(({ error }) => error.message !== 'Unauthorized')).toEqual([]);
  expect(api.sandbox.failures).toEqual([]);
  expect((await api.call({ contentId: await api.content() })).status).toBe(200);
});

function send(request: RawRequest, tls: ConnectionOptions = {}): Promise<RawAnswer> {
  const { hostname: host, port } = new URL(api.url);
  return exchange({ host, port: Number(port), ca: api.ca, ...tls }, request);
}
const statusesOf = ({ text }: RawAnswer) => answersIn(text).map(({ status }) => status);
/** Waits long, since the server closes the connection right after its answer. */
const sendText = (text: string) => send({ pieces: [text], leaving: 'after the answer', patienceMs: 3_000 });

// RFC 9112, sections 2.2, 3, 5.1, 6.3 and 11.2 (request smuggling); RFC 9110, section 10.1.1
describe('requests that are no HTTP, or ambiguous,', () => {
  const chunked = (body: string) =>
    rawRequest(right, { body, without: ['content-length'], lines: ['Transfer-Encoding: chunked'] });

  test.each<[string, () => string, number[]]>([
    ['that is valid', () => rawRequest(right), [404]],
    ['in chunks', () => chunked('11\r\n{"authorRef":"a"}\r\n0\r\n\r\n'), [404]],
    ['with both lengths', () => rawRequest(right, { lines: ['Transfer-Encoding: chunked'] }), [400]],
    ['with two lengths', () => rawRequest(right, { lines: ['Content-Length: 0'] }), [400]],
    [
      'with a blank before the colon',
      () => rawRequest(right, { lines: ['Transfer-Encoding : chunked'] }),
      [400],
    ],
    [
      'with a coding after chunked',
      () => rawRequest(right, { lines: ['Transfer-Encoding: chunked, x'] }),
      [400],
    ],
    [
      'with a negative length',
      () => rawRequest(right, { without: ['content-length'], lines: ['Content-Length: -1'] }),
      [400],
    ],
    ['with chunks that are none', () => chunked('zz\r\n{}\r\n0\r\n\r\n'), [400]],
    ['with a chunk of absurd size', () => chunked('ffffffffffffffffff\r\n'), [400]],
    ['with a folded header', () => rawRequest(right, { lines: ['X: a', ' b'] }), [400]],
    ['with a NUL in a header', () => rawRequest(right, { lines: ['X: a\0b'] }), [400]],
    ['with a lone CR in a header', () => rawRequest(right, { lines: ['X: a\rX-Forged: b'] }), [400]],
    ['without a host', () => rawRequest(right, { without: ['host'] }), [400]],
    [
      'with two Authorization headers in two spellings',
      () => rawRequest(right, { lines: [`aUTHORIZATION: ${right.authorization}`] }),
      [401],
    ],
    ['with 11,000 bytes of headers', () => rawRequest(right, { lines: [`X: ${'a'.repeat(11_000)}`] }), [431]],
    ['of HTTP/0.9', () => `GET ${right.path}\r\n\r\n`, [404]],
    ['of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['of HTTP/1.2', () => rawRequest(right, { line: `POST ${right.path} HTTP/1.2` }), [400]],
    ['with an unknown method', () => rawRequest(right, { line: `RESTORE ${right.path} HTTP/1.1` }), [400]],
    ['with another method', () => rawRequest(right, { line: `PUT ${right.path} HTTP/1.1` }), [404]],
    ['with a method override', () => rawRequest(right, { lines: ['X-HTTP-Method-Override: DELETE'] }), [404]],
    [
      'with an absolute URL',
      () => rawRequest(right, { line: `POST https://evil.example${right.path} HTTP/1.1` }),
      [403],
    ],
    ['without a stage', () => rawRequest(right, { line: 'POST / HTTP/1.1' }), [403]],
    ['of TLS within TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['after another', () => rawRequest(right, { without: ['connection'] }) + rawRequest(right), [404, 404]],
  ])('a request %s is answered as documented', async (_, text, statuses) => {
    const answer = await sendText(text());

    expect(statusesOf(answer)).toEqual(statuses);
    expect(answersIn(answer.text).every(isDocumented)).toBe(true);
    expect(statuses[0] !== 400 || answer.isClosed).toBe(true);
  });

  test('a request with 100,000 bytes of headers is not read completely', async () => {
    const answer = await sendText(rawRequest(right, { lines: [`X: ${'a'.repeat(100_000)}`] }));

    // The server may close the connection before the client has read the answer.
    expect([[431], []]).toContainEqual(statusesOf(answer));
    expect(answer.isClosed).toBe(true);
  });

  test('bytes beyond the Content-Length are handled as another request or rejected, and restore nothing', async () => {
    const contentId = await api.content();
    const smuggled = rawRequest(
      { ...right, path: right.path.replace('unknown', contentId) },
      { without: ['authorization'] },
    );

    for (const lines of [
      ['Transfer-Encoding: chunked'],
      ['Content-Length: 0'],
      ['Transfer-Encoding: identity'],
    ]) {
      const answer = await sendText(rawRequest(right, { body: `0\r\n\r\n${smuggled}`, lines }));

      expect(statusesOf(answer)).toEqual([400]);
    }
    expect(await api.changesOf(contentId)).toEqual([]);
  });
});

describe('connections below TLS 1.2', () => {
  test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async (version) => {
    const old = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };

    const answer = await send({ pieces: [rawRequest(right)], leaving: 'after the answer' }, old);

    expect(answer).toEqual({ text: '', isClosed: true });
  });

  test('plain text gets no HTTP answer', async () => {
    const { hostname, port } = new URL(api.url);
    const text = await new Promise<string>((resolve) => {
      let received = '';
      const socket = connectPlain(Number(port), hostname, () => socket.write(rawRequest(right)));
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.on('error', () => undefined);
      socket.once('close', () => resolve(received));
    });

    expect(text).not.toContain('HTTP/');
  });
});

test(
  'for any bytes sent, the answers are documented and hold no secret, and the server keeps running',
  async () => {
    const requests = fc.sample(fuzzedRawRequest(right), { numRuns: CONNECTIONS, seed: SEED });
    const counts = new Map<number | 'none', number>();
    for (let from = 0; from < requests.length; from += AT_ONCE) {
      const batch = requests.slice(from, from + AT_ONCE);
      const answers = await Promise.all(batch.map((request) => send(request)));
      for (const [n, { text }] of answers.entries()) {
        const sent = JSON.stringify(batch[n]).slice(0, 2_000);
        const found = answersIn(text);
        expect({ sent, undocumented: found.filter((answer) => !isDocumented(answer)) }).toEqual({
          sent,
          undocumented: [],
        });
        for (const status of found.length === 0 ? ['none' as const] : found.map((answer) => answer.status)) {
          counts.set(status, (counts.get(status) ?? 0) + 1);
        }
      }
      const received = answers.map(({ text }) => text).join('');
      expect(findCanaries(canaries, [{ place: 'answers', text: received }])).toEqual([]);
    }

    expect(findCanaries(canaries, [{ place: 'output', text: api.output() }])).toEqual([]);
    const listed = [...counts].map(([status, count]) => `${status}: ${count}`).sort();
    figures = `raw requests over TLS, ${CONNECTIONS} connections, seed ${SEED}: ${listed.join(', ')}`;
  },
  TIMEOUT_MS,
);
