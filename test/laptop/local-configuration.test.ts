import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLocalConfiguration } from '../../laptop/local-configuration';
import { newFolder } from '../support/new-folder';

const read = (text: string) => {
  const file = join(newFolder(), 'local.json');
  writeFileSync(file, text);
  return readLocalConfiguration(file);
};
const deployments = [
  { environment: 'staging', restore: { available: true }, tenants: [{ tenantId: 't', tokens: [] }] },
];
const readDeployments = (...given: object[]) => read(JSON.stringify({ local: true, deployments: given }));
const inHeader = { ...deployments[0], restore: { available: true, actingUserIn: 'header' } };

describe('readLocalConfiguration', () => {
  test('passes the configured deployments and tenants to the sandbox', () => {
    expect(readDeployments(...deployments).sandboxSeed).toEqual({
      deployments: [{ environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 't' }] }],
      restoreAvailable: true,
      actingUserIn: 'body',
      actingUserHeaders: { authorRef: 'X-Author-Ref', collaborationId: 'X-Collaboration-Id' },
    });
  });

  test('passes the sandbox no deployments of other issuers', () => {
    const auth0 = { issuer: 'auth0', environment: 'production', tenants: [{ tenantId: 'acme', tokens: [] }] };
    const named = { ...deployments[0], issuer: 'learning-platform' };

    expect(readDeployments(auth0, named).sandboxSeed).toMatchObject({
      deployments: [{ environment: 'staging', platformRegion: 'global', tenants: [{ tenantId: 't' }] }],
    });
  });

  test('passes the sandbox where the acting user goes, by the deployments with restore', () => {
    const without = { ...inHeader, environment: 'production', restore: { actingUserIn: 'body' } };

    const { sandboxSeed } = readDeployments(inHeader, without);

    expect(sandboxSeed).toMatchObject({ restoreAvailable: true, actingUserIn: 'header' });
  });

  test('rejects two places for the acting user, because the sandbox supports one', () => {
    expect(() => readDeployments(...deployments, { ...inHeader, environment: 'production' })).toThrow(
      /restore\.actingUserIn: found body and header; allowed: one of them/,
    );
  });

  test('passes the sandbox the names of the acting user’s headers', () => {
    const actingUserHeaders = { authorRef: 'Acting-Author' };
    const renamed = { ...inHeader, restore: { ...inHeader.restore, actingUserHeaders } };

    expect(readDeployments(renamed).sandboxSeed).toMatchObject({
      actingUserIn: 'header',
      actingUserHeaders: { authorRef: 'Acting-Author', collaborationId: 'X-Collaboration-Id' },
    });
    expect(() => readDeployments(renamed, { ...inHeader, environment: 'production' })).toThrow(
      /restore\.actingUserHeaders: found Acting-Author, X-Collaboration-Id and X-Author-Ref, X-Collaboration-Id; allowed: one of them/,
    );
  });

  test.each([
    ['https://127.0.0.1:8443/a', 'https://127.0.0.1:1/a'],
    ['HTTPS://Localhost/a', 'https://127.0.0.1:1/a'],
    ['https://[::1]:9', 'https://127.0.0.1:1'],
    ['https://localhost.example.com/a', 'https://localhost.example.com/a'],
  ])('replaces loopback origins by the sandbox’s, and no others: %s', (url, expected) => {
    const { withOrigin } = read(JSON.stringify({ local: true, url, deployments }));

    const moved = { local: true, url: expected, deployments };
    expect(JSON.parse(withOrigin('https://127.0.0.1:1'))).toEqual(moved);
  });

  test.each([
    ['https://127.0.0.1:9443/realms/acme', { issuer: 'keycloak.json' }, 'kept'],
    ['https://127.0.0.1:8443/issuers/auth0', { issuer: 'auth0' }, 'moved'],
    ['https://127.0.0.1:9443/realms/acme', { issuer: 'learning-platform' }, 'moved'],
  ])('keeps the address of an issuer of the user’s own: %s of %j is %s', (address, issuer, outcome) => {
    const given = { ...issuer, tokenBaseUrl: address, tenants: [{ note: address }] };
    const { withOrigin } = readDeployments(given);
    const moved = address.replace(new URL(address).origin, 'https://127.0.0.1:1');

    const tokenBaseUrl = outcome === 'kept' ? address : moved;
    expect(JSON.parse(withOrigin('https://127.0.0.1:1'))).toMatchObject({
      deployments: [{ tokenBaseUrl, tenants: [{ note: moved }] }],
    });
  });

  test.each(['{', '{"local":true,"deployments":[{"environment":7},{"platformRegion":"mea"}]}'])(
    'leaves it to the app to report what is wrong with %s',
    (text) => {
      const { sandboxSeed, withOrigin } = read(text);

      expect(sandboxSeed).toMatchObject({ deployments: [], restoreAvailable: false });
      expect(withOrigin('https://127.0.0.1:1')).toBe(text);
    },
  );

  test.each([
    ['{"deployments":[]}', 'local: found nothing; allowed: true'],
    ['{"local":"true","deployments":[]}', 'local: found "true"; allowed: true'],
  ])(
    'rejects a configuration that is not local, because its functions would call other machines: %s',
    (text, message) => {
      expect(() => read(text)).toThrow(message);
    },
  );

  test('names a missing file', () => {
    expect(() => readLocalConfiguration(join(newFolder(), 'none.json'))).toThrow(
      /none\.json cannot be used:\n {2}the file cannot be read \(ENOENT\)/,
    );
  });
});
