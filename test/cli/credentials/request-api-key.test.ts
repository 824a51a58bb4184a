import { requestApiKey } from '../../../cli/credentials/request-api-key';
import { sendHttps } from '../../../lambdas/shared/adapters/https-client';
import { CertificateAuthority, selfSigned, type ServerCertificate } from '../../support/lambdas/certificates';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { trustAuthority } from '../../support/lambdas/trusted-authority';

const SESSION = { authorization: 'Bearer session', correlationId: '6c6b5ee5-9e8d-4ae4-9d1c-21b1c3b1a111' };

let authority: CertificateAuthority;
let certificate: ServerCertificate;
let server: LoopbackServer;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certificate = await authority.issue();
});
beforeEach(async () => {
  trustAuthority(authority.certificatePem);
  server = await LoopbackServer.start(certificate);
});
afterEach(async () => {
  await LoopbackServer.stopAll();
  jest.restoreAllMocks();
});

function request(baseUrl = server.url, interruption = new AbortController()) {
  return requestApiKey(sendHttps, baseUrl, SESSION, interruption.signal);
}

test('sends one POST to /tenants below the base URL', async () => {
  server.behavior = (response) =>
    response.end('{"data":{"generateApiKey":{"apiKey":"k","validUntil":"2027-01-01T00:00:00Z"}}}');

  const read = await request(`${server.url}/base`);

  expect(read).toEqual({
    kind: 'generated',
    value: { apiKey: 'k', validUntil: '2027-01-01T00:00:00.000Z' },
  });
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /base/tenants']);
});

test('a connection that breaks after sending leaves the outcome unknown', async () => {
  server.behavior = (response) => response.destroy();

  const read = await request();

  expect(read.kind).toBe('unknown');
  expect(server.requests).toHaveLength(1);
});

test('an oversized answer leaves the outcome unknown', async () => {
  server.behavior = (response) => response.end('x'.repeat(65_537));

  const read = await request();

  expect(read.kind).toBe('unknown');
});

test('nothing is sent to a server with an untrusted certificate', async () => {
  const impostor = await LoopbackServer.start(await selfSigned());

  const read = await request(impostor.url);

  expect(read.kind).toBe('unavailable');
  expect(impostor.receivedBytes).toBe(0);
});

test('without a server, it is certain that nothing was sent', async () => {
  await server.stop();

  const read = await request();

  expect(read.kind).toBe('unavailable');
});

test('an interruption ends the wait, and the outcome is unknown', async () => {
  const interruption = new AbortController();
  server.behavior = () => interruption.abort();

  const read = await request(server.url, interruption);

  expect(read.kind).toBe('unknown');
});

test('an interruption before the request prevents it', async () => {
  const interruption = new AbortController();
  interruption.abort();

  await expect(request(server.url, interruption)).rejects.toMatchObject({
    exitCode: 130,
    code: 'interrupted',
  });
  expect(server.connections).toBe(0);
});
