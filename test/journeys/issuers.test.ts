import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CertifiedProvider, type OidcClient } from '../issuers/support/certified-provider';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { ConnectProxy } from '../support/lambdas/connect-proxy';
import { latchkey, runLatchkey } from './support/command';
import { Place } from './support/place';
import { RunningSystem } from './support/running-system';

/**
 * A company has an issuer of its own beside those of `config/three-issuers.json`. It reaches its own and the learning platform
 * through its proxies only.
 */

const RESOURCE = 'https://api.example.com';
const clientNamed = (
  client_id: string,
  method: OidcClient['token_endpoint_auth_method'] = 'client_secret_basic',
): OidcClient => ({
  client_id,
  client_secret: `secret+of/${client_id}=`,
  token_endpoint_auth_method: method,
  scope: 'read write',
});
const [FIRST, SECOND, THIRD] = [clientNamed('first'), clientNamed('second'), clientNamed('third')];
/** Only asks about tokens. */
const READER = clientNamed('reader', 'client_secret_post');
const credentialOf = ({ client_id, client_secret }: OidcClient) => ({
  clientId: client_id,
  clientSecret: client_secret,
});

const PROFILE = {
  name: 'oidc',
  title: 'OpenID provider',
  parameters: { resource: { description: 'The API.' } },
  tokenEndpoint: { path: '/token' },
  request: {
    clientAuthentication: 'client_secret_basic',
    fields: { grant_type: 'client_credentials', scope: '{scope}', resource: '{resource}' },
  },
  answer: { lifetimeSec: 7200 },
};
const OTHERS = ['learning-platform', 'auth0', 'blackboard-learn'];

let folder: string;
let provider: CertifiedProvider;
/** In front of the issuer. */
let tunneling: ConnectProxy;
/** In front of the platform and AWS. It opens TLS, with an authority of its own. */
let inspecting: ConnectProxy;
let system: RunningSystem;
let acme: Place;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-own-issuer-'));
  const fileOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  provider = await CertifiedProvider.start([FIRST, SECOND, READER]);
  const corporate = await CertificateAuthority.create();
  tunneling = await ConnectProxy.start();
  inspecting = await ConnectProxy.start({ inspectsBy: await corporate.issue({ address: '127.0.0.1' }) });
  system = await RunningSystem.startConfigured(
    (deployments) => {
      Object.assign(deployments[0]!, {
        proxy: { url: inspecting.url, awsCalls: 'proxy' },
        certificateAuthorities: { file: fileOf('corporate.pem', corporate.certificatePem) },
      });
      deployments.push({
        issuer: fileOf('oidc.json', JSON.stringify(PROFILE)),
        environment: 'production',
        tokenBaseUrl: provider.origin,
        certificateAuthorities: { file: fileOf('authority.pem', provider.authorityPem) },
        proxy: { url: tunneling.url },
        tenants: [
          {
            tenantId: 'acme',
            parameters: { resource: RESOURCE },
            tokens: [{ interface: 'api', scope: 'read write' }],
          },
        ],
      });
    },
    [],
    'config/three-issuers.json',
  );
  acme = new Place(
    system,
    system.run.deployments.find(({ issuer }) => issuer === 'oidc')!,
  );
}, 120_000);
afterAll(async () => {
  await system.stop();
  await provider.end();
  await ConnectProxy.stopAll();
  rmSync(folder, { recursive: true });
});

/** What the provider says of the stored token. */
const introspected = async () => provider.introspect((await acme.token('read write')).accessToken, READER);
const newCredentials = (flags: string[]) =>
  runLatchkey(['local', 'new-credentials', ...flags, '--state-dir', system.process.stateDir]);

it('all issuers have their tokens, and are shown by what they have', async () => {
  const { stdout } = await latchkey(system, ['status']);

  expect(stdout).toContain('staging global  latchkey-staging-global\n');
  expect(stdout).toContain('auth0 production  latchkey-auth0-production\n');
  expect(stdout).toMatch(/^ {2}acme .* – +2 of 2, 23 hours$/m);
  expect(stdout).toContain('blackboard-learn production  latchkey-blackboard-learn-production\n');
  expect(stdout).toMatch(/^ {2}school .* – +1 of 1, \d+ min$/m);
  expect(stdout).not.toContain('undefined');
});

it.each(OTHERS.slice(1))(
  '%s issues another credential, and what the command prints next works as printed',
  async (issuer) => {
    const flags = ['--issuer', issuer];
    const { stdout: input } = await newCredentials(flags);
    const put = await latchkey(system, ['credentials', 'put', ...flags], { input });
    const [, next = ''] = /^Next: (?:npx )?latchkey (.*)$/m.exec(`${put.stdout}\n${put.stderr}`) ?? [];

    expect(put.exitCode).toBe(0);
    expect(next).toMatch(new RegExp(`^status --issuer ${issuer} --environment production --tenant `));
    expect((await runLatchkey(wordsOf(next))).stdout).toContain('✓ No action needed');
  },
);

/** The words of a printed command, as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

describe('the issuer of the user’s own', () => {
  it('gets no credential of the sandbox, but the user’s, by the command that the start prints', async () => {
    const [, printed = ''] = /no credential for oidc-production acme.*: npx latchkey (.*)$/m.exec(
      system.process.output,
    )!;

    const refused = await newCredentials(acme.flags);
    const requestsBefore = await provider.tokenRequests();
    const put = await runLatchkey(printed.split(' '), { input: credentialOf(FIRST) });

    expect(system.process.output).toContain('loaded credentials for 3 tenants');
    expect(requestsBefore).toBe(0);
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('latchkey credentials put --issuer oidc ');
    expect(put.exitCode).toBe(0);
    expect(await introspected()).toMatchObject({
      active: true,
      client_id: 'first',
      scope: 'read write',
      aud: RESOURCE,
    });
  });

  it('is called through one proxy, and the platform and AWS through another, which opens TLS', async () => {
    const place = system.place('staging', 'global');
    const [contentId = ''] = place.tenant.archivedContentIds;

    const restored = await place.restore(contentId, { authorization: await place.basic() });

    expect(restored.status).toBe(200);
    const hosts = [place.deployment.platform.contentBaseUrl!, system.run.aws.endpoint].map(
      (url) => new URL(url).host,
    );
    expect(new Set(inspecting.opened)).toEqual(new Set(hosts));
    expect(inspecting.readLines.some((line) => line.startsWith('POST /'))).toBe(true);
    expect(new Set(tunneling.opened)).toEqual(new Set([new URL(provider.origin).host]));
  });

  it('rotates to another of its clients', async () => {
    const put = await acme.command('credentials put', { input: credentialOf(SECOND) });
    const refreshed = await acme.command('token refresh --all');

    expect([put, refreshed]).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }]);
    expect(await introspected()).toMatchObject({ client_id: 'second' });
  });

  it('refuses its credentials: status, doctor and an alarm of the tenant say so until another is loaded', async () => {
    await provider.restart([THIRD, READER]);
    await system.advance(6_600);
    const [status, doctor, ...others] = await Promise.all(
      ['status --issuer oidc', 'doctor', ...OTHERS.map((issuer) => `status --issuer ${issuer}`)].map(
        (words) => latchkey(system, words.split(' ')),
      ),
    );
    const alarms = await Promise.all(
      system.run.deployments.map((deployment) => new Place(system, deployment).alarms('ALARM')),
    );

    for (const each of [status!, doctor!]) {
      expect(each.exitCode).toBe(1);
      expect(each.stdout).toMatch(
        /^✗ critical {2}oidc production acme\n +(The|When last asked, the) issuer refuse[sd] the client credential/m,
      );
      expect(each.stdout).toContain(
        '→ latchkey credentials put --issuer oidc --environment production --tenant acme ',
      );
    }
    expect(doctor!.stdout).not.toContain('staging');
    expect(others.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(alarms.flatMap((each) => [...each.keys()])).toEqual(['acme/credential-refused']);

    const put = await acme.command('credentials put', { input: credentialOf(THIRD) });
    await system.advance(1_200);

    expect(put.exitCode).toBe(0);
    expect((await latchkey(system, ['status'])).exitCode).toBe(0);
    expect([...(await acme.alarms('ALARM')).keys()]).toEqual([]);
  });
});
