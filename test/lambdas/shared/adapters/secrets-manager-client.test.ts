import { setImmediate as nextTurn } from 'node:timers/promises';

import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';

import { warmedUp, secretsManagerClient } from '../../../../lambdas/shared/adapters/secrets-manager-client';
import { type LoopbackServer } from '../../../support/lambdas/loopback-server';
import { useAwsEndpoint } from '../../../support/lambdas/restore-bundle';
import { trustedServers } from '../../../support/lambdas/trusted-servers';

const servers = trustedServers();
let server: LoopbackServer;
beforeEach(async () => {
  server = await servers.start();
  useAwsEndpoint(server.url);
});

test('a rehearsal signs a request and opens no connection; the next call is sent', async () => {
  server.behavior = (response) => response.end('{"SecretString":"value"}');
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

  warmedUp({ secretsManager });

  await expect(signed).resolves.toHaveProperty('authorization');
  await nextTurn();
  expect(server.connections).toBe(0);
  const { SecretString } = await secretsManager.send(new GetSecretValueCommand({ SecretId: 'any' }));
  expect(SecretString).toBe('value');
  expect(server.requests).toHaveLength(1);
});

describe('a call whose time ends', () => {
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
