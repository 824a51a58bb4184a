import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { SecretsManagerClient, GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { AwsIdentity } from '../../cli/aws-identity';
import { networkOf } from '../../cli/environment-network';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { ConnectProxy } from '../support/lambdas/connect-proxy';
import { LoopbackServer } from '../support/lambdas/loopback-server';
import { trustAuthority } from '../support/lambdas/trusted-authority';
import { newFolder } from '../support/new-folder';
import { failureOf } from './support/operated-system';
import { profilesWithRole, roleSession } from './support/role-session';

const PASSWORD = 'canary-of the:proxy';

let authority: CertificateAuthority;
let server: LoopbackServer;
const folder = newFolder();

beforeAll(async () => {
  authority = await CertificateAuthority.create();
});
beforeEach(async () => {
  server = await LoopbackServer.start(await authority.issue());
  server.behavior = (response) => response.end(JSON.stringify({ SecretString: 'value' }));
});
afterEach(async () => {
  await Promise.all([LoopbackServer.stopAll(), ConnectProxy.stopAll()]);
  jest.restoreAllMocks();
});

/** As to the platform and to the restore API. */
const send = (env: NodeJS.ProcessEnv) =>
  networkOf(env).sendRequest({
    url: new URL(server.url),
    method: 'GET',
    headers: {},
    body: '',
    connectTimeoutMs: 2_000,
    totalTimeoutMs: 5_000,
    maxAnswerBytes: 1_000,
  });

const callAws = (env: NodeJS.ProcessEnv) =>
  new SecretsManagerClient({
    endpoint: server.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'nobody', secretAccessKey: 'nobody' },
    maxAttempts: 1,
    requestHandler: { ...networkOf(env).agents },
  }).send(new GetSecretValueCommand({ SecretId: 'any' }));

describe('the variables of a proxy', () => {
  beforeEach(() => trustAuthority(authority.certificatePem));

  it.each(['HTTPS_PROXY', 'https_proxy'])('send calls through it: %s', async (name) => {
    const proxy = await ConnectProxy.start();

    await expect(send({ [name]: proxy.url })).resolves.toMatchObject({ status: 200 });
    await expect(callAws({ [name]: proxy.url })).resolves.toHaveProperty('SecretString');

    expect(proxy.opened).toEqual([new URL(server.url).host, new URL(server.url).host]);
  });

  it('send the call that assumes the role of a profile through it', async () => {
    const proxy = await ConnectProxy.start();
    server.behavior = (response) => response.end(roleSession());
    const file = join(folder, 'config');
    writeFileSync(file, profilesWithRole('arn:aws:iam::111122223333:role/operators'));
    jest.replaceProperty(process, 'env', {
      ...process.env,
      AWS_CONFIG_FILE: file,
      AWS_ENDPOINT_URL_STS: server.url,
    });
    const requestHandler = { ...networkOf({ HTTPS_PROXY: proxy.url }).agents };
    const config = { region: 'eu-west-1', requestHandler };
    const profile = { name: 'operators', source: '--profile' };
    const identity = new AwsIdentity(config, profile, () => Promise.reject(new Error('asked')));

    await identity.signIn(new AbortController().signal);

    expect((await identity.credentials()).accessKeyId).toBe('ASIAROLE');
    expect(proxy.opened).toEqual([new URL(server.url).host]);
  });

  it.each([
    ['leave out the scheme, as curl allows', {}, ''],
    [
      'have user and password',
      { credentials: `me:${PASSWORD}` },
      `http://me:${encodeURIComponent(PASSWORD)}@`,
    ],
    ['have a percent sign that escapes nothing', { credentials: 'me:100%canary' }, 'http://me:100%canary@'],
  ])('may %s', async (_, options, prefix) => {
    const proxy = await ConnectProxy.start(options);

    await send({ HTTPS_PROXY: `${prefix}${new URL(proxy.url).host}` });

    expect(proxy.opened).toHaveLength(1);
  });

  it('name the proxy in the failure, and never its password', async () => {
    const proxy = await ConnectProxy.start({ credentials: 'me:other' });
    const { host } = new URL(proxy.url);

    const failure = await send({ HTTPS_PROXY: `http://me:canary@${host}` }).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'proxy_refused', isSent: false });
    expect(String(failure)).not.toContain('canary');
  });

  it.each([
    [{ NO_PROXY: 'example.com,localhost' }],
    [{ no_proxy: 'localhost', NO_PROXY: '' }],
    [{ NO_PROXY: '*' }],
    [{ https_proxy: '' }],
  ])('do not send calls through it with %j', async (env) => {
    const proxy = await ConnectProxy.start();

    await send({ HTTPS_PROXY: proxy.url, ...env });

    expect(proxy.asked).toEqual([]);
  });

  it.each(['socks5://canary:1080', 'http://', 'http://me:canary@'])('may not be %s', async (value) => {
    const failure = await failureOf(() => networkOf({ HTTPS_PROXY: value }));

    expect(failure.message).toBe(
      'HTTPS_PROXY: found a value that names no proxy; allowed: http://HOST:PORT or https://HOST:PORT, perhaps with user and password',
    );
  });
});

describe('AWS_CA_BUNDLE', () => {
  it('is trusted for calls to AWS besides the usual authorities, and for no others', async () => {
    const bundle = join(folder, 'bundle.pem');
    writeFileSync(bundle, authority.certificatePem);

    await expect(callAws({ AWS_CA_BUNDLE: bundle })).resolves.toHaveProperty('SecretString');
    await expect(send({ AWS_CA_BUNDLE: bundle })).rejects.toMatchObject({ code: 'tls' });
  });

  it('leaves authorities trusted that it does not have', async () => {
    const [bundle, usual] = [join(folder, 'other.pem'), join(folder, 'usual.pem')];
    writeFileSync(bundle, (await CertificateAuthority.create()).certificatePem);
    writeFileSync(usual, authority.certificatePem);
    jest.replaceProperty(process, 'env', { ...process.env, NODE_EXTRA_CA_CERTS: usual });

    await expect(callAws({ AWS_CA_BUNDLE: bundle })).resolves.toHaveProperty('SecretString');
  });

  const BROKEN = '-----BEGIN CERTIFICATE-----\nMIIbroken\n-----END CERTIFICATE-----\n';
  it.each([
    ['cannot be read', undefined, 'a file that cannot be read'],
    ['has none', 'DER or anything else', 'a file without valid certificates'],
    ['has a broken one', BROKEN, 'a file without valid certificates'],
  ])('must have certificates, but the file %s', async (_, text, found) => {
    const bundle = join(newFolder(), 'wrong.pem');
    if (text !== undefined) writeFileSync(bundle, text);

    const { message } = await failureOf(() => networkOf({ AWS_CA_BUNDLE: bundle }));

    expect(message).toBe(`AWS_CA_BUNDLE: found ${found}; allowed: a readable PEM file`);
  });

  it('is used also if that of Node cannot be read, as Node goes on itself', async () => {
    const bundle = join(folder, 'bundle.pem');
    writeFileSync(bundle, authority.certificatePem);
    jest.replaceProperty(process, 'env', {
      ...process.env,
      NODE_EXTRA_CA_CERTS: join(folder, 'missing.pem'),
    });

    await expect(callAws({ AWS_CA_BUNDLE: bundle })).resolves.toHaveProperty('SecretString');
  });
});
