import { type DeploymentFile } from '../../core/deployment/deployment-file';
import { hasOtherIssuers, issuerSeeds } from '../../laptop/sandbox-seed';
import { readShelfProfile } from '../../lib/options/issuer-shelf';

const { tokenEndpoint, request, answer, errors } = readShelfProfile('auth0')!;
const PROFILE = { tokenEndpoint, request, answer, errors };

function deploymentOf(
  environment: string,
  tenantIds: readonly string[],
  tokenBaseUrl = 'https://127.0.0.1:8443/issuers/auth0',
): DeploymentFile {
  const file: Partial<DeploymentFile> = {
    issuer: 'auth0',
    environment,
    platform: { tokenBaseUrl },
    profile: PROFILE,
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
  it('are those of all deployments but the user’s own, each once, with its tenants', () => {
    const seeds = issuerSeeds([
      deploymentOf('production', ['acme', 'globex']),
      deploymentOf('staging', ['acme'], 'https://auth.example.com'),
      deploymentOf('own', ['initech'], 'https://localhost:9000/realms/issuers'),
      { environment: 'staging', platform: {}, tenants: [] } as unknown as DeploymentFile,
    ]);

    const parameters = { host: { description: 'host' }, audience: { description: 'audience' } };
    expect(seeds).toEqual([
      {
        name: 'auth0',
        profile: { ...PROFILE, name: 'auth0', title: 'auth0', parameters },
        tenants: [{ tenantId: 'acme' }, { tenantId: 'globex' }],
      },
    ]);
  });

  it.each([
    [[{ environment: 'staging' }, { issuer: 'learning-platform' }], false],
    [[null, { issuer: 'auth0' }], true],
    ['none', false],
  ])('are there if a deployment names one: %j', (deployments, expected) => {
    expect(hasOtherIssuers(deployments)).toBe(expected);
  });
});
