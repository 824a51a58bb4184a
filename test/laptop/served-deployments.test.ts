import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CloudAssembly } from 'cdk-on-loopback';
import { type PlatformAddresses } from '../../core/deployment/deployment-file';
import { type SandboxAddresses } from '../../laptop/sandbox-process';
import { onSandbox, ownAuthorities, servedDeployments } from '../../laptop/served-deployments';
import { newFolder } from '../support/new-folder';

const OWN = 'https://127.0.0.1:9443/realms/acme';
const ADDRESSES: SandboxAddresses = {
  deployments: [],
  tenantServices: { staging: 'https://127.0.0.1:1/tenant-service/staging', live: 'https://127.0.0.1:1/live' },
  issuers: [{ name: 'keycloak', tokenBaseUrl: 'https://127.0.0.1:1/issuers/keycloak' }],
};

/** An assembly with one function, of a deployment of Keycloak with this address. */
function assemblyWith(tokenBaseUrl: string): CloudAssembly {
  const codeDir = newFolder();
  const deployment = {
    issuer: 'keycloak',
    environment: 'own',
    prefix: 'latchkey',
    platform: { tokenBaseUrl, contentTokenBaseUrl: 'https://auth.example.com' },
    tenants: [],
  };
  writeFileSync(join(codeDir, 'deployment.json'), JSON.stringify(deployment));
  writeFileSync(join(codeDir, 'certificate-authorities.pem'), 'PEM\n');
  const template = { Resources: { Any: { Type: 'Any', Properties: { Address: `${tokenBaseUrl}/token` } } } };
  return { stacks: [{ template, assetDirs: new Map([['code', codeDir]]) }] } as unknown as CloudAssembly;
}

/** The addresses in the deployment file and the template that run. */
function addressesIn({ stacks }: CloudAssembly): { platform: PlatformAddresses; template: string } {
  const [{ template, assetDirs }] = stacks as [CloudAssembly['stacks'][number]];
  const file = readFileSync(join(assetDirs.get('code')!, 'deployment.json'), 'utf8');
  const { platform } = JSON.parse(file) as { platform: PlatformAddresses };
  return { platform, template: template.Resources.Any!.Properties.Address as string };
}

describe('an assembly with another issuer', () => {
  it.each(['https://auth.example.com', 'https://127.0.0.1:8443/issuers/keycloak'])(
    'calls the sandbox in place of %s',
    (address) => {
      const assembly = assemblyWith(address);

      const { platform, template } = addressesIn(onSandbox(assembly, ADDRESSES, join(newFolder(), 'out')));

      expect(platform).toEqual({ tokenBaseUrl: 'https://127.0.0.1:1/issuers/keycloak' });
      expect(template).toBe('https://127.0.0.1:1/issuers/keycloak/token');
      expect(ownAuthorities(assembly)).toEqual([]);
    },
  );

  it('calls the user’s own on this machine, whose authorities commands trust, too', () => {
    const assembly = assemblyWith(OWN);

    const { platform, template } = addressesIn(onSandbox(assembly, ADDRESSES, join(newFolder(), 'out')));

    expect(platform).toEqual({ tokenBaseUrl: OWN });
    expect(template).toBe(`${OWN}/token`);
    expect(ownAuthorities(assembly)).toEqual(['PEM']);
  });
});

it('rejects an assembly without a deployment', () => {
  expect(() => servedDeployments('cdk.out', { stacks: [] } as unknown as CloudAssembly)).toThrow(
    'cdk.out cannot be used:\n  deployments: found none; allowed: at least one stack with a deployment of Latchkey',
  );
});
