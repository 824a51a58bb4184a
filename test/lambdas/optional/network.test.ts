import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

import { type NetworkSettings } from '../../../core/deployment/deployment-file';
import { openNetwork } from '../../../lambdas/optional/network';
import { sendHttpsOver } from '../../../lambdas/shared/adapters/https-client';
import { CertificateAuthority, type ServerCertificate } from '../../support/lambdas/certificates';
import { ConnectProxy } from '../../support/lambdas/connect-proxy';
import { failureOf } from '../../support/lambdas/failure-of';
import { LoopbackServer } from '../../support/lambdas/loopback-server';
import { useAwsEndpoint } from '../../support/lambdas/restore-bundle';

const ARN = 'arn:aws:secretsmanager:eu-west-2:222233334444:secret:corporate/proxy-AbCdEf';
const PARAMETER = '/corporate/authorities';
const PASSWORD = 'canary-of-the-proxy';

let authority: CertificateAuthority;
let certificate: ServerCertificate;
let platform: LoopbackServer;
let aws: Awaited<ReturnType<typeof startAws>>;
let folder: string;

beforeAll(async () => {
  authority = await CertificateAuthority.create();
  certificate = await authority.issue();
  folder = mkdtempSync(join(tmpdir(), 'network-'));
  writeFileSync(join(folder, 'usual.pem'), authority.certificatePem);
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  platform = await LoopbackServer.start(certificate);
  aws = await startAws();
  useAwsEndpoint(aws.url, { NODE_EXTRA_CA_CERTS: join(folder, 'usual.pem') });
});
afterEach(async () => {
  await Promise.all([LoopbackServer.stopAll(), ConnectProxy.stopAll(), aws.stop()]);
  jest.restoreAllMocks();
});

/** Secrets Manager and Systems Manager, as far as the module calls them. */
async function startAws() {
  const state = { url: '', secretReads: 0, secret: secretOf(PASSWORD), parameter: authority.certificatePem };
  const server = createServer((request, response) => {
    const isOfSecret = String(request.headers['x-amz-target']).endsWith('.GetSecretValue');
    if (isOfSecret) state.secretReads += 1;
    const answer = isOfSecret ? { SecretString: state.secret } : { Parameter: { Value: state.parameter } };
    request.on('end', () => response.end(JSON.stringify(answer))).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(state, {
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
const secretOf = (password: string) => JSON.stringify({ username: 'latchkey', password });

type Proxy = NonNullable<NetworkSettings['proxy']>;
const usual = (proxy: ConnectProxy, change: Partial<Proxy> = {}): NetworkSettings => ({
  proxy: { url: proxy.url, noProxy: [], awsCalls: 'direct', ...change },
  certificateAuthorities: PARAMETER,
});

/** Sends requests to the platform by the settings. */
function senderOf(settings: NetworkSettings) {
  const send = sendHttpsOver(openNetwork(settings).platform);
  return () =>
    send({
      url: new URL(`${platform.url}/token`),
      method: 'POST',
      headers: { authorization: 'Bearer canary' },
      body: '{"secret":"canary"}',
      connectTimeoutMs: 2_000,
      totalTimeoutMs: 5_000,
      maxAnswerBytes: 1_000,
    });
}

const hostOf = (server: { url: string }) => new URL(server.url).host;

describe('a call to the platform through a proxy', () => {
  it('arrives by a tunnel, whose connection serves the next call too', async () => {
    const proxy = await ConnectProxy.start();
    const send = senderOf(usual(proxy));

    const answers = [await send(), await send()];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(platform.requests.map(({ body }) => body)).toEqual(['{"secret":"canary"}', '{"secret":"canary"}']);
    expect([proxy.opened, platform.connections]).toEqual([[hostOf(platform)], 1]);
  });

  it('goes around the proxy if the host is listed', async () => {
    const proxy = await ConnectProxy.start();
    const send = senderOf(usual(proxy, { noProxy: ['localhost'] }));

    await expect(send()).resolves.toMatchObject({ status: 200 });

    expect(proxy.asked).toEqual([]);
  });

  it('reaches a proxy that speaks TLS with a certificate of the added authorities', async () => {
    const proxy = await ConnectProxy.start({ certificate });

    await expect(senderOf(usual(proxy))()).resolves.toMatchObject({ status: 200 });

    expect(proxy.opened).toEqual([hostOf(platform)]);
  });

  it.each([
    [407, 'proxy_refused', 'the proxy refuses the connection (407)'],
    [502, 'proxy', 'the proxy failed (502)'],
    ['close', 'proxy', 'the proxy closed the connection'],
    ['hang', 'proxy', 'the proxy gave no answer within 2000 ms'],
  ] as const)('fails unsent if the proxy does this: %s', async (behavior, code, message) => {
    const proxy = await ConnectProxy.start();
    proxy.behavior = behavior;

    await expect(senderOf(usual(proxy))()).rejects.toMatchObject({
      code,
      message,
      isSent: false,
      isLasting: code === 'proxy_refused',
    });
    expect([platform.connections, proxy.asked.length]).toEqual([0, 1]);
    await proxy.idle();
  });

  it('fails unsent if nothing listens where the proxy should be', async () => {
    const proxy = await ConnectProxy.start();
    const send = senderOf(usual(proxy));
    await proxy.stop();

    await expect(send()).rejects.toMatchObject({
      code: 'proxy',
      message: 'no connection to the proxy (ECONNREFUSED)',
      isSent: false,
    });
  });

  it('counts as sent once the tunnel and TLS are there', async () => {
    const proxy = await ConnectProxy.start();
    platform.behavior = (response) => response.destroy();

    await expect(senderOf(usual(proxy))()).rejects.toMatchObject({ code: 'reset', isSent: true });
  });
});

describe('a proxy with credentials', () => {
  let proxy: ConnectProxy;
  let send: ReturnType<typeof senderOf>;
  beforeEach(async () => {
    proxy = await ConnectProxy.start({ credentials: `latchkey:${PASSWORD}` });
    send = senderOf(usual(proxy, { credentialsSecretArn: ARN }));
  });

  it('gets those of the secret, which is read once, and then the new ones, without a failed call', async () => {
    platform.behavior = (response) => response.writeHead(200, { connection: 'close' }).end();
    await send();
    await send();
    expect(aws.secretReads).toBe(1);
    proxy.credentials = 'latchkey:changed';
    aws.secret = secretOf('changed');

    await expect(send()).resolves.toMatchObject({ status: 200 });

    expect(proxy.opened).toHaveLength(3);
    const names = platform.requests.flatMap(({ headers }) => Object.keys(headers));
    expect(names).not.toContain('proxy-authorization');
  });

  it('refuses wrong ones, which no message has', async () => {
    proxy.credentials = 'latchkey:other';

    const failure = await failureOf(send());

    expect(failure).toMatchObject({ code: 'proxy_refused', isSent: false });
    expect(`${failure.message} ${failure.stack}`).not.toContain(PASSWORD);
    // Once, because the secret says the same when it is read again.
    expect(proxy.asked).toHaveLength(1);
  });

  it.each(['not JSON', '{}', '{"username":"a:b","password":"c"}', '{"username":"a","password":1}'])(
    'is not asked with the secret %s',
    async (secret) => {
      aws.secret = secret;

      await expect(send()).rejects.toMatchObject({
        code: 'proxy_refused',
        message: "the proxy's secret has no username and password",
        isSent: false,
      });
      expect(proxy.asked).toEqual([]);
    },
  );
});

describe('added certificate authorities', () => {
  async function inspecting() {
    const corporate = await CertificateAuthority.create();
    return { corporate, proxy: await ConnectProxy.start({ inspectsBy: await corporate.issue() }) };
  }

  it('let a proxy open TLS with a certificate of theirs', async () => {
    const { corporate, proxy } = await inspecting();
    aws.parameter = `Subject: our proxy\n${corporate.certificatePem}`;

    await expect(senderOf(usual(proxy))()).resolves.toMatchObject({ status: 200 });

    expect(proxy.readLines[0]).toBe('POST /token HTTP/1.1');
  });

  it('are trusted besides the usual ones', async () => {
    aws.parameter = (await CertificateAuthority.create()).certificatePem;

    await expect(senderOf({ certificateAuthorities: PARAMETER })()).resolves.toMatchObject({ status: 200 });
  });

  it('are needed where a proxy opens TLS', async () => {
    const { proxy } = await inspecting();

    await expect(senderOf(usual(proxy))()).rejects.toMatchObject({ code: 'tls', isSent: false });
  });

  it.each([
    ['an empty parameter', ''],
    ['no certificate', 'nothing'],
    ['a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
  ])('fail the call unsent, with %s', async (_, parameter) => {
    aws.parameter = parameter;

    await expect(senderOf({ certificateAuthorities: PARAMETER })()).rejects.toMatchObject({
      code: 'tls',
      message: 'TLS failed (ERR_TLS_AUTHORITIES_MALFORMED)',
      isSent: false,
    });
  });

  it('are read again after a failure', async () => {
    aws.parameter = 'nothing';
    const send = senderOf({ certificateAuthorities: PARAMETER });
    await failureOf(send());

    aws.parameter = authority.certificatePem;

    await expect(send()).resolves.toMatchObject({ status: 200 });
  });
});

describe('calls to AWS', () => {
  const callSecretsManager = (settings: NetworkSettings, endpoint: string) => {
    const client = new SecretsManagerClient({
      endpoint,
      maxAttempts: 1,
      requestHandler: { connectionTimeout: 1_000, ...openNetwork(settings).aws },
    });
    return client.send(new GetSecretValueCommand({ SecretId: 'any' }));
  };

  it.each(['http', 'https'])('take the proxy if they are to, over %s', async (scheme) => {
    const proxy = await ConnectProxy.start();
    platform.behavior = (response) => response.end('{"SecretString":"value"}');
    const endpoint = scheme === 'http' ? aws.url : platform.url;

    await expect(callSecretsManager(usual(proxy, { awsCalls: 'proxy' }), endpoint)).resolves.toHaveProperty(
      'SecretString',
    );

    expect(proxy.opened).toEqual([new URL(endpoint).host]);
  });

  it('leave as usual otherwise', () => {
    const direct: NetworkSettings = { proxy: { url: 'http://localhost:1', noProxy: [], awsCalls: 'direct' } };

    expect(openNetwork(direct).aws).toBeUndefined();
  });

  it('trust the added authorities if there is no proxy', async () => {
    platform.behavior = (response) => response.end('{"SecretString":"value"}');
    const settings = { certificateAuthorities: PARAMETER };

    await expect(callSecretsManager(settings, platform.url)).resolves.toHaveProperty('SecretString');
  });

  it('do not trust the added authorities past the proxy, which opens nothing of them', async () => {
    const proxy = await ConnectProxy.start();

    await expect(callSecretsManager(usual(proxy), platform.url)).rejects.toThrow(/certificate/);

    expect(proxy.asked).toEqual([]);
    expect(platform.requests).toEqual([]);
  });
});
