import { createSandbox } from 'learning-platform-sandbox';
import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { hasOtherIssuers, issuerSeeds } from '../../laptop/sandbox-seed';
import { readShelfProfile } from '../../lib/options/issuer-shelf';

const { tokenEndpoint, request, answer, errors } = readShelfProfile('auth0')!;

function deploymentOf(
  environment: string,
  tenantIds: readonly string[],
  tokenBaseUrl = 'https://127.0.0.1:8443/issuers/auth0',
): DeploymentFile {
  const file: Partial<DeploymentFile> = {
    issuer: 'auth0',
    environment,
    platform: { tokenBaseUrl },
    profile: { tokenEndpoint, request, answer, errors },
    tenants: tenantIds.map((tenantId) => ({
      tenantId,
      parameters: { host: 'acme.eu.auth0.com' },
      tokens: [{ interface: 'api', scope: 'read:users', parameters: { audience: 'https://api.example' } }],
      adopted: {},
    })),
  };
  return file as DeploymentFile;
}

describe('the other issuers that the sandbox serves', () => {
  it('are those of all deployments but the user’s own, each once, with its tenants', async () => {
    const seeds = issuerSeeds([
      deploymentOf('production', ['acme', 'globex']),
      deploymentOf('staging', ['acme'], 'https://auth.example.com'),
      deploymentOf('own', ['initech'], 'https://localhost:9000/realms/issuers'),
      { environment: 'staging', platform: {}, tenants: [] } as unknown as DeploymentFile,
    ]);

    const sandbox = await createSandbox({ issuers: seeds });

    try {
      expect(
        sandbox.issuers.map(({ name, tenants }) => [name, tenants.map(({ tenantId }) => tenantId)]),
      ).toEqual([['auth0', ['acme', 'globex']]]);
      const [{ tokenBaseUrl, tenants }] = sandbox.issuers as [(typeof sandbox.issuers)[0]];
      const { clientId, clientSecret } = tenants[0].clientCredentials;
      const { status } = await sandbox.fetch(`${tokenBaseUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          grant_type: 'client_credentials',
          client_id: clientId,
          client_secret: clientSecret,
          audience: 'https://api.example',
          scope: 'read:users',
        }),
      });
      expect(status).toBe(200);
    } finally {
      await sandbox.stop();
    }
  });

  it.each([
    [[{ environment: 'staging' }, { issuer: 'learning-platform' }], false],
    [[null, { issuer: 'auth0' }], true],
    ['none', false],
  ])('are there if a deployment names one: %j', (deployments, expected) => {
    expect(hasOtherIssuers(deployments)).toBe(expected);
  });
});
