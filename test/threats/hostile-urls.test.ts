import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { checkAddresses, HostileAddressError } from '../../core/deployment/deployment-addresses';
import { captureOutput } from '../support/lambdas/captured-output';
import { AwsStub, loadBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { trustedServers } from '../support/lambdas/trusted-servers';
import { addressesOf, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';

/** One of those that test/core/deployment/platform-address.test.ts refuses. */
const HOSTILE_ADDRESS = 'https://user@platform.example';

/** A deployment file changed after synthesis. */
function tampered(platform: Partial<DeploymentFile['platform']>): DeploymentFile {
  const deployment = restoringDeploymentOf();
  return { ...deployment, platform: { ...deployment.platform, ...platform } };
}

const servers = trustedServers();

test.each([
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const)(
  'T2: synthesis rejects a hostile %s, and functions in a deployment file that was changed after it',
  (field) => {
    const staging = { global: { ...addressesOf('staging-global'), [field]: HOSTILE_ADDRESS } };

    expect(faultsOf({ ...written(), endpoints: { staging } })).toEqual([expect.stringContaining(field)]);
    expect(() => checkAddresses(tampered({ [field]: HOSTILE_ADDRESS }))).toThrow(HostileAddressError);
  },
);

test.each([
  'authorizer',
  'credential-watch',
  'restore',
  'rotate-credentials',
  'token-refresh',
  'token-sweep',
])('T2: %s with such a deployment file sends nothing', async (name) => {
  const server = await servers.start();
  server.behavior = new AwsStub().behavior;
  useAwsEndpoint(server.url);
  captureOutput();
  const hostile = server.url.replace('https://', 'https://user@');
  const { handler, remove } = loadBundle<(event: object, context: Context) => Promise<unknown>>(
    name,
    tampered({ contentBaseUrl: hostile, contentTokenBaseUrl: hostile }),
  );
  const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 20_000 } as Context;

  // Some functions answer with their error.
  const answer = await handler({ action: 'sweep' }, context).catch((error: unknown) => ({ error }));
  remove();

  expect(answer).toMatchObject({ error: { code: 'hostile_address' } });
  expect(server.connections).toBe(0);
});
