import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../core/deployment/deployment-file';
import {
  checkAddresses,
  checkRestorePath,
  HostileAddressError,
} from '../../core/deployment/deployment-addresses';
import { captureOutput } from '../support/lambdas/captured-output';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { LoopbackServer } from '../support/lambdas/loopback-server';
import { AwsStub, loadBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
import { restoringDeploymentOf } from '../support/lambdas/restore-functions';
import { trustAuthority } from '../support/lambdas/trusted-authority';
import { addressesOf, written } from '../support/lib/configuration';
import { faultsOf } from '../support/lib/faults';
import { HOSTILE_ADDRESSES } from '../support/lib/hostile-addresses';

const ADDRESSES = Object.values(HOSTILE_ADDRESSES).flat();
const FIELDS = [
  'contentBaseUrl',
  'contentTokenBaseUrl',
  'webhooksBaseUrl',
  'webhooksTokenBaseUrl',
  'tenantServiceUrl',
] as const;
const FUNCTIONS = [
  'authorizer',
  'credential-watch',
  'restore',
  'rotate-credentials',
  'token-refresh',
  'token-sweep',
];

/** Paths of the restore operation that could change the origin or leave the operation. */
const HOSTILE_PATHS = [
  '@evil.example/{contentId}',
  '.evil.example/{contentId}',
  ':8443/{contentId}',
  '/../{contentId}',
  '/contents/{contentId}/../x',
  '/contents/{contentId}/..',
  '/%2e%2e/{contentId}',
  '/a?x={contentId}/../../b#',
  '/{contentId}?x=\\evil.example',
  '/{contentId}#',
  '\\evil.example/{contentId}',
  '/a//{contentId}',
  '/contents/{other}/restore',
  'contents/{contentId}/restore',
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

afterEach(() => jest.restoreAllMocks());

test('T2: the tests cover at least 60 addresses', () => {
  expect(new Set(ADDRESSES).size).toBeGreaterThanOrEqual(60);
});

/** @param check returns what synthesis rejects in a configuration */
function expectRefusedAtSynthesis(field: string) {
  const accepted = ADDRESSES.filter((address) => {
    const staging = { global: { ...addressesOf('staging-global'), [field]: address } };
    return faultsOf({ ...written(), endpoints: { staging } }).length === 0;
  });

  expect(accepted).toEqual([]);
}

function expectRefusedInFile(field: string) {
  for (const address of ADDRESSES) {
    expect(() => checkAddresses(tampered({ [field]: address }))).toThrow(HostileAddressError);
  }
}

describe('T2: synthesis rejects a hostile address', () => {
  test.each(FIELDS)('as %s, for every address', (field) => expectRefusedAtSynthesis(field));

  test.each(HOSTILE_PATHS)('as the path %j of the restore operation', (path) => {
    expect(faultsOf(written({ restore: { path } }))).toEqual([
      expect.stringMatching(/^deployments\[0\]\.restore\.path: found .*; allowed: a path with \{contentId\}/),
    ]);
  });
});

describe('T2: functions reject a hostile address in a deployment file that was changed after synthesis', () => {
  test.each(FIELDS)('as %s, for every address', (field) => expectRefusedInFile(field));

  test.each(HOSTILE_PATHS)(
    'as the path %j of the restore operation, but only in the function that uses it',
    (path) => {
      expect(() => checkRestorePath(tampered({}, path))).toThrow(HostileAddressError);
      expect(() => checkAddresses(tampered({}, path))).not.toThrow();
    },
  );
});

/** Invokes a function with its deployment file, and AWS without any secret. Returns its result, or its error. */
async function invoke(name: string, deploymentOf: (url: string) => DeploymentFile, event: object) {
  const authority = await CertificateAuthority.create();
  trustAuthority(authority.certificatePem);
  const server = await LoopbackServer.start(await authority.issue());
  server.behavior = new AwsStub().behavior;
  useAwsEndpoint(server.url);
  captureOutput();
  const { handler, remove } = loadBundle<(event: object, context: Context) => Promise<unknown>>(
    name,
    deploymentOf(server.url),
  );
  const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 20_000 } as Context;
  try {
    const answer = await handler(event, context).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    return { answer, connections: server.connections };
  } finally {
    remove();
    await server.stop();
  }
}

describe('T2: a function with such a deployment file sends nothing', () => {
  /** @param addressOf returns the platform's address in the deployment file */
  async function expectNothingSent(name: string, addressOf: (url: string) => string) {
    const deploymentOf = (url: string) =>
      tampered({ contentBaseUrl: addressOf(url), contentTokenBaseUrl: addressOf(url) });

    const { answer, connections } = await invoke(name, deploymentOf, { action: 'sweep' });

    expect(answer).toMatchObject({ error: { code: 'hostile_address' } });
    expect(connections).toBe(0);
  }

  const withUserInfo = (url: string) => url.replace('https://', 'https://user@');

  test.each(FUNCTIONS)('%s', (name) => expectNothingSent(name, withUserInfo));
});
