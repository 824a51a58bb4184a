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
