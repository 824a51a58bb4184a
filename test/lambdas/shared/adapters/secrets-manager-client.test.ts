import { setImmediate as nextTurn } from 'node:timers/promises';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { rehearsed, secretsManagerClient } from '../../../../lambdas/shared/adapters/secrets-manager-client';
import { CertificateAuthority } from '../../../support/lambdas/certificates';
import { LoopbackServer } from '../../../support/lambdas/loopback-server';
import { useAwsEndpoint } from '../../../support/lambdas/restore-bundle';
import { trustAuthority } from '../../../support/lambdas/trusted-authority';

test('a rehearsal signs a request and opens no connection; the next call is sent', async () => {
  const authority = await CertificateAuthority.create();
  trustAuthority(authority.certificatePem);
  const server = await LoopbackServer.start(await authority.issue());
  server.behavior = (response) => response.end('{"SecretString":"value"}');
  useAwsEndpoint(server.url, {});
  const secretsManager = secretsManagerClient(undefined);
  const signed = new Promise((resolve) =>
    secretsManager.middlewareStack.add(
      (next) => (call) => {
        resolve((call.request as { headers: object }).headers);
        return next(call);
      },
      { step: 'finalizeRequest', priority: 'low' },
    ),
  );

  rehearsed({ secretsManager });

  await expect(signed).resolves.toHaveProperty('authorization');
  await nextTurn();
  expect(server.connections).toBe(0);
  const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId: 'any' }));
  expect(SecretString).toBe('value');
  expect(server.requests).toHaveLength(1);
  await server.stop();
});

describe('a call whose time ends', () => {
  let server: LoopbackServer;
  beforeEach(async () => {
    const authority = await CertificateAuthority.create();
    trustAuthority(authority.certificatePem);
    server = await LoopbackServer.start(await authority.issue());
    useAwsEndpoint(server.url, {});
  });
  afterEach(() => server.stop());

  async function nameOfFailure(): Promise<string> {
    const controller = new AbortController();
    const failing = secretsManagerClient(undefined)
      .send(new GetSecretValueCommand({ SecretId: 'any' }), { abortSignal: controller.signal })
      .catch((error: unknown) => (error as Error).name);
    while (server.requests.length < 2) await nextTurn();
    controller.abort();
    return failing as Promise<string>;
  }

  test('between answers says what the last one was', async () => {
    server.behavior = (response) => {
      if (server.requests.length > 1) return;
      response.writeHead(400, { 'x-amzn-errortype': 'ThrottlingException' }).end('{}');
    };

    expect(await nameOfFailure()).toBe('ThrottlingException');
  });

  test('without any answer says that', async () => {
    server.behavior = (response) => response.destroy();

    expect(await nameOfFailure()).not.toBe('ThrottlingException');
  });
});
