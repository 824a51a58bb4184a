import { type Context } from 'aws-lambda';

import { type DeploymentFile } from '../../contract/deployment-file';
import { checkAddresses, HostileAddressError } from '../../lambdas/shared/domain/deployment-addresses';
import { expectRed } from '../support/holes/expect-red';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { LoopbackServer } from '../support/lambdas/loopback-server';
import { loadBundle, useAwsEndpoint } from '../support/lambdas/restore-bundle';
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
const FUNCTIONS = ['authorizer', 'credential-watch', 'restore', 'rotate-credentials', 'token-refresh'];

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
function expectRefusedAtSynthesis(field: string, check = faultsOf) {
  const accepted = ADDRESSES.filter((address) => {
    const staging = { global: { ...addressesOf('staging-global'), [field]: address } };
    return check({ ...written(), endpoints: { staging } }).length === 0;
  });

  expect(accepted).toEqual([]);
}

/** @param check throws if a deployment file contains a forbidden address */
function expectRefusedInFile(field: string, check = checkAddresses) {
  for (const address of ADDRESSES) {
    expect(() => check(tampered({ [field]: address }))).toThrow(HostileAddressError);
  }
}

describe('T2: synthesis rejects a hostile address', () => {
  test.each(FIELDS)('as %s, for every address', (field) => expectRefusedAtSynthesis(field));

  test('turns red when every address is accepted', () =>
    expectRed(() => expectRefusedAtSynthesis('contentBaseUrl', () => [])));

  test.each(FIELDS)('as %s of a configuration marked local, except on loopback', (field) => {
    const own = Object.fromEntries(FIELDS.map((name) => [name, `https://127.0.0.1:8443/${name}`]));
    const { environment } = written().deployments[0]!;
    const tenants = written().deployments[0]!.tenants!;
    const configurationWith = (address: string) => ({
      local: true,
      endpoints: { staging: { global: { ...own, [field]: address } } },
      deployments: [{ environment, tenants }],
    });
    expect(faultsOf(configurationWith(own[field]!))).toEqual([]);

    const accepted = ADDRESSES.filter((address) => faultsOf(configurationWith(address)).length === 0);

    for (const address of [...accepted, 'https://127.0.0.1:1']) {
      expect(['127.0.0.1', 'localhost', '[::1]']).toContain(new URL(address).hostname);
    }
  });
});

describe('T2: functions reject a hostile address in a deployment file that was changed after synthesis', () => {
  test.each(FIELDS)('as %s, for every address', (field) => expectRefusedInFile(field));

  test('turns red when every address is accepted', () =>
    expectRed(() => expectRefusedInFile('contentBaseUrl', () => undefined)));

  test.each([
    'https://evil.example:8443',
    'https://10.0.0.1:8443',
    'https://[::ffff:10.0.0.1]:8443',
    'https://0xA9FEA9FE:8443',
    'https://user@localhost:8443',
    'http://localhost:8443',
    'https://localhost.evil.example:8443',
  ])('though it has a port, as only addresses on loopback have: %s', (contentBaseUrl) => {
    expect(() => checkAddresses(tampered({ contentBaseUrl }))).toThrow(HostileAddressError);
  });

  test.each([
    '@evil.example/{contentId}',
    '.evil.example/{contentId}',
    ':8443/{contentId}',
    '/../{contentId}',
    '/%2e%2e/{contentId}',
    '/a?x={contentId}/../../b#',
    '/{contentId}?x=\\evil.example',
    '/{contentId}#',
    '\\evil.example/{contentId}',
    '/a//{contentId}',
  ])('as the path %j of the restore operation, which could change the origin', (path) => {
    expect(() => checkAddresses(tampered({}, path))).toThrow(HostileAddressError);
  });

  test('without showing the address in the error', () => {
    const contentBaseUrl = 'https://user:canary-password@evil.example/canary-password';

    expect(() => checkAddresses(tampered({ contentBaseUrl }))).toThrow(
      'contentBaseUrl in deployment.json: has user info',
    );
  });

  test('but accept the addresses of a laptop and of a real platform', () => {
    checkAddresses(tampered({}));
    for (const origin of ['https://127.0.0.1:8443', 'https://localhost:8443', 'https://[::1]:8443']) {
      checkAddresses(tampered({ contentBaseUrl: `${origin}/staging/mea/content` }));
    }
  });
});

describe('T2: a function with such a deployment file sends nothing', () => {
  /** @param addressOf returns the platform's address in the deployment file */
  async function expectNothingSent(name: string, addressOf: (url: string) => string) {
    const authority = await CertificateAuthority.create();
    trustAuthority(authority.certificatePem);
    const server = await LoopbackServer.start(await authority.issue());
    useAwsEndpoint(server.url);
    const contentBaseUrl = addressOf(server.url);
    const { handler, remove } = loadBundle<(event: object, context: Context) => Promise<unknown>>(
      name,
      tampered({ contentBaseUrl, contentTokenBaseUrl: contentBaseUrl }),
    );
    const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 5_000 } as Context;

    try {
      await expect(handler({ action: 'sweep' }, context)).rejects.toMatchObject({ code: 'hostile_address' });

      expect(server.connections).toBe(0);
    } finally {
      remove();
      await server.stop();
    }
  }

  const withUserInfo = (url: string) => url.replace('https://', 'https://user@');

  test.each(FUNCTIONS)('%s', (name) => expectNothingSent(name, withUserInfo));

  test('turns red when the address passes the check', () =>
    expectRed(() => expectNothingSent('token-refresh', (url) => url)));
});
