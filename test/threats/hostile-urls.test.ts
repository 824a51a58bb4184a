import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import {
  checkAddresses,
  checkRestorePath,
  HostileAddressError,
} from '../../core/deployment/deployment-addresses';
import { captureOutput } from '../support/lambdas/captured-output';
import { AwsStub, loadBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { trustedServers } from '../support/lambdas/trusted-servers';
import { addressesOf, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';

/** One of those that test/core/deployment/platform-address.test.ts refuses. */
const HOSTILE_ADDRESS = 'https://user@platform.example';

/** Paths of the restore operation that could change the origin or leave the operation. */
const HOSTILE_PATHS = [
  '@evil.example/{contentId}',
  ':8443/{contentId}',
  '/../{contentId}',
  '/contents/{contentId}/../x',
  '/%2e%2e/{contentId}',
  '/{contentId}#',
  '\\evil.example/{contentId}',
  '/a//{contentId}',
  '/contents/{other}/restore',
  '',
];

/** A deployment file changed after synthesis. */
function tampered(platform: Partial<DeploymentFile['platform']>, restorePath?: string): DeploymentFile {
  const deployment = restoringDeploymentOf();
  return {
    ...deployment,
    platform: { ...deployment.platform, ...platform },
    restore: { ...deployment.restore, ...(restorePath !== undefined && { path: restorePath }) },
  };
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

test.each(HOSTILE_PATHS)(
  'T2: synthesis rejects the path %j of the restore operation, and so does the only function that uses it',
  (path) => {
    expect(faultsOf(written({ restore: { path } }))).toEqual([
      expect.stringMatching(/^deployments\[0\]\.restore\.path: found .*; allowed: a path with \{contentId\}/),
    ]);
    expect(() => checkRestorePath(tampered({}, path))).toThrow(HostileAddressError);
    expect(() => checkAddresses(tampered({}, path))).not.toThrow();
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
