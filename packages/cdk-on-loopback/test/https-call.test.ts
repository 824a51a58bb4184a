import { once } from 'node:events';
import { type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo } from 'node:net';
import { createCertificateAuthority } from '../src/certificate-authority';
import { callHttps } from '../src/https-call';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server with this listener. */
async function serve(listener: RequestListener): Promise<{ url: string; ca: string }> {
  const authority = await createCertificateAuthority();
  const { certificate, privateKey } = await authority.issueForLoopback();
  server = createServer({ cert: certificate, key: privateKey }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/`, ca: authority.certificate };
}

const callTo = (served: { url: string; ca: string }, timeoutMs = 10_000) =>
  callHttps({ method: 'POST', ...served, body: '{}', timeoutMs });

test('reads status and text, and does not follow redirects', async () => {
  const served = await serve((_, response) => response.writeHead(307, { Location: '/' }).end('é'));

  await expect(callTo(served)).resolves.toEqual({ status: 307, text: 'é' });
});

test('a server with a certificate of another CA is rejected', async () => {
  const { url } = await serve((_, response) => response.end());
  const { certificate: ca } = await createCertificateAuthority();

  await expect(callTo({ url, ca })).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});

test.each<[string, RequestListener]>([
  ['a response', () => undefined],
  ['the rest of a response', (_, response) => response.write('begun')],
])('%s that does not arrive in time is an error that says so', async (_, listener) => {
  const served = await serve(listener);

  await expect(callTo(served, 100)).rejects.toThrow('no answer in 0.1 s');
});

test('a connection that breaks during a response is an error', async () => {
  const served = await serve((request, response) => {
    response.writeHead(200, { 'Content-Length': '10' });
    response.write('begun', () => request.socket.destroy());
  });

  await expect(callTo(served)).rejects.toMatchObject({ code: 'ECONNRESET' });
});
