import { type HttpsRequest, sendHttpsTrusting } from '../../../../lambdas/shared/adapters/https-client';
import { CertificateAuthority } from '../../../support/lambdas/certificates';
import { LoopbackServer } from '../../../support/lambdas/loopback-server';

afterEach(() => LoopbackServer.stopAll());

function requestTo(server: LoopbackServer): HttpsRequest {
  return {
    url: new URL(server.url),
    method: 'GET',
    headers: {},
    body: '',
    connectTimeoutMs: 5_000,
    totalTimeoutMs: 5_000,
    maxAnswerBytes: 1_000,
  };
}

describe('a request that trusts one authority', () => {
  test('reaches servers with a certificate of that authority, and no others', async () => {
    const [ours, foreign] = await Promise.all([CertificateAuthority.create(), CertificateAuthority.create()]);
    const [known, unknown] = await Promise.all([
      LoopbackServer.start(await ours.issue()),
      LoopbackServer.start(await foreign.issue()),
    ]);
    const send = sendHttpsTrusting(ours.certificatePem);

    const answer = await send(requestTo(known));

    expect(answer.status).toBe(200);
    await expect(send(requestTo(unknown))).rejects.toMatchObject({ code: 'tls', isSent: false });
    expect(unknown.requests).toEqual([]);
  });
});
