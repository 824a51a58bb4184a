import { get } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { createCertificateAuthority } from '../../src/certificate-authority';
import { announcedConnection } from '../../../../test/support/idle-connections';
import { Gateway } from './gateway';

let gateway: Gateway;
beforeEach(() => (gateway = new Gateway()));
afterEach(() => gateway.close());

/** API Gateway developer guide: apigateway-security-policies, how-to-call-api. */
describe('the server', () => {
  it('serves a stage over TLS, at a path with the id of its API', async () => {
    const server = await gateway.serve();

    const reply = await gateway.call('/items', { method: 'POST' });

    expect(reply.status).toBe(200);
    expect(server.urlOf(gateway.api.id, 'v1')).toBe(`${server.origin}/${gateway.api.id}/v1`);
    expect(new URL(server.origin).hostname).toBe('127.0.0.1');
  });

  it('keeps idle connections open, so that it closes none that a client is about to use', async () => {
    const { origin, caCertificate } = await gateway.start();

    expect(await announcedConnection(origin, caCertificate)).toBe('keep-alive');
  });

  it('does not respond to plain HTTP', async () => {
    const { origin } = await gateway.start();

    const answer = new Promise((resolve, reject) =>
      get(origin.replace('https', 'http'), resolve).on('error', reject),
    );

    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('refuses TLS 1.1', async () => {
    const { origin, caCertificate } = await gateway.start();

    const handshake = new Promise((resolve, reject) => {
      const socket = connectTls(
        {
          host: '127.0.0.1',
          port: Number(new URL(origin).port),
          ca: caCertificate,
          minVersion: 'TLSv1.1',
          maxVersion: 'TLSv1.1',
          ciphers: 'DEFAULT@SECLEVEL=0',
        },
        () => resolve(socket.getProtocol()),
      ).on('error', reject);
    });

    await expect(handshake).rejects.toMatchObject({ code: 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION' });
  });

  it('accepts TLS 1.2 only if the API’s security policy allows it', async () => {
    await gateway.serve({
      api: { SecurityPolicy: 'SecurityPolicy_TLS13_1_3_2025_09', EndpointAccessMode: 'STRICT' },
    });

    const modern = await gateway.call('/items', { method: 'POST' });
    const old = gateway.call('/items', { method: 'POST', maxVersion: 'TLSv1.2' });

    expect(modern.status).toBe(200);
    await expect(old).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.each(['/', '/unknown0/v1/items', '/API/other/items', '//v1/items'])(
    'returns 403 Forbidden for %s, which is not a stage',
    async (path) => {
      await gateway.serve();

      const reply = await gateway.fetch(path.replace('API', gateway.api.id));

      expect(reply).toMatchObject({
        status: 403,
        text: '{"message":"Forbidden"}',
        headers: { 'x-amzn-errortype': 'ForbiddenException' },
      });
    },
  );

  it('returns 403 Forbidden for a private API, to which only VPC endpoints lead', async () => {
    await gateway.serve({ api: { EndpointConfiguration: { Types: ['PRIVATE'] } } });

    const reply = await gateway.call('/items', { method: 'POST' });

    expect(reply).toMatchObject({ status: 403, text: '{"message":"Forbidden"}' });
  });

  it('returns the request ids, and the time of the run’s clock', async () => {
    await gateway.serve();
    await gateway.clock.advance(3600);

    const { headers } = await gateway.call('/items', { method: 'POST' });

    expect(headers).toMatchObject({
      'x-amzn-requestid': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'x-amz-apigw-id': expect.stringMatching(/=$/) as string,
      'x-amzn-trace-id': expect.stringMatching(
        /^Root=1-[0-9a-f]{8}-[0-9a-f]{24};Parent=[0-9a-f]{16};Sampled=0$/,
      ) as string,
      date: 'Thu, 01 Jan 2026 01:00:00 GMT',
    });
  });

  it('reports a port that is taken', async () => {
    const { origin } = await gateway.start();

    await expect(gateway.start(Number(new URL(origin).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('closes all connections when it stops, even during their handshake', async () => {
    const { origin } = await gateway.start();
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));

    await gateway.close();

    await expect(closed).resolves.toBeDefined();
  });
});

/** RFC 5280, section 4.2.1. */
describe('the certificate', () => {
  it('is valid for 127.0.0.1 and localhost, and signed by the CA', async () => {
    const authority = await createCertificateAuthority();

    const certificate = new X509Certificate((await authority.issueForLoopback()).certificate);

    const issuer = new X509Certificate(authority.certificate);
    expect(certificate.subjectAltName).toBe('IP Address:127.0.0.1, DNS:localhost');
    expect(certificate.verify(issuer.publicKey)).toBe(true);
    expect([issuer.ca, certificate.ca]).toEqual([true, false]);
    expect(certificate.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
  });
});
