import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { faultsIn } from '../support/lib/faults';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type Synthesis, synthesisWith, temporaryFolder } from '../support/lib/synthesis';

const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:corporate/proxy-AbCdEf';
const KEY = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
const PROXY = { url: 'http://proxy.example.org:3128' };
const PLATFORM_CALLERS = ['restore', 'rotate-credentials', 'token-refresh', 'token-sweep'];
const ALL = ['authorizer', 'credential-watch', ...PLATFORM_CALLERS].sort();

/** The number of functions whose code folder has a file. */
function functionsWith(synthesis: Synthesis, file: string): number {
  return synthesis.codeFolders().filter((folder) => readdirSync(folder).includes(file)).length;
}

const environments = (synthesis: Synthesis) =>
  synthesis
    .properties('AWS::Lambda::Function')
    .map(({ Environment }) => (Environment as { Variables?: object } | undefined)?.Variables ?? {});

describe('a proxy with credentials', () => {
  const synthesis = synthesisWith({
    proxy: { ...PROXY, credentialsSecretArn: SECRET, credentialsKmsKeyArn: KEY },
  });

  it('is known to all functions, and loaded by those that call the platform', () => {
    expect(synthesis.deploymentFiles().map(({ network }) => network?.proxy?.url)).toEqual(
      ALL.map(() => PROXY.url),
    );
    expect(functionsWith(synthesis, 'network.js')).toBe(PLATFORM_CALLERS.length);
  });

  it('lets exactly those functions read the credentials', () => {
    const Condition = {
      StringEquals: { 'kms:ViaService': 'secretsmanager.eu-west-1.amazonaws.com' },
      StringLike: { 'kms:EncryptionContext:SecretARN': [SECRET] },
    };

    const { account, roles } = provisionSynthesis(synthesis);
    const statements = roles.flatMap(({ arn, description }) =>
      account.roles
        .get(arn)!
        .inlinePolicies.flatMap(({ document }) => document.Statement)
        .filter((statement) => JSON.stringify(statement).includes('corporate/proxy'))
        .map((statement) => ({ name: description.replace(/^Role of | of .*$/g, ''), ...statement })),
    );

    expect(statements.sort((one, other) => one.name.localeCompare(other.name))).toEqual(
      PLATFORM_CALLERS.flatMap((name) => [
        { name, Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: SECRET },
        { name, Effect: 'Allow', Action: 'kms:Decrypt', Resource: KEY, Condition },
      ]),
    );
  });

  it('is loaded by every function if calls to AWS take it', () => {
    const all = synthesisWith({ proxy: { ...PROXY, awsCalls: 'proxy' } });

    expect(functionsWith(all, 'network.js')).toBe(ALL.length);
  });
});

describe('certificate authorities', () => {
  it('of a parameter are loaded by every function', () => {
    const synthesis = synthesisWith({ certificateAuthorities: { parameterName: '/corporate/ca' } });

    expect(functionsWith(synthesis, 'network.js')).toBe(ALL.length);
  });

  it('of a file are deployed with every function, and nothing else of the file', async () => {
    const file = join(temporaryFolder(), 'ca.pem');
    const { certificatePem } = await CertificateAuthority.create();
    writeFileSync(file, `# our proxy\n${certificatePem}\n-----BEGIN PRIVATE KEY-----`);
    const synthesis = synthesisWith({ certificateAuthorities: { file } });

    const copies = synthesis
      .codeFolders()
      .map((folder) => readFileSync(join(folder, 'certificate-authorities.pem'), 'utf8').trim());
    expect(copies).toEqual(ALL.map(() => certificatePem.trim()));
    for (const environment of environments(synthesis))
      expect(environment).toMatchObject({
        NODE_EXTRA_CA_CERTS: '/var/task/certificate-authorities.pem',
      });
    expect(functionsWith(synthesis, 'network.js')).toBe(0);
  });

  it.each([
    ['that is missing', undefined, 'a readable file, relative to the working directory'],
    ['without a certificate', 'nothing', 'a PEM file with at least one certificate'],
    [
      'with a broken one',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'a file whose certificates can be read',
    ],
  ])('cannot be of a file %s', (_, text, allowed) => {
    const file = join(temporaryFolder(), 'ca.pem');
    if (text !== undefined) writeFileSync(file, text);

    expect(faultsIn(() => synthesisWith({ certificateAuthorities: { file } }))).toEqual([
      expect.stringContaining(
        `certificateAuthorities.file: found ${JSON.stringify(file)}; allowed: ${allowed}`,
      ),
    ]);
  });
});

describe('without these options', () => {
  const synthesis = synthesisWith({});

  it('functions have neither the module nor a setting for it', () => {
    expect(synthesis.codeFolders().map((folder) => readdirSync(folder).sort())).toEqual(
      ALL.map(() => ['deployment.json', 'handler.js']),
    );
    expect(synthesis.deploymentFiles().filter((file) => 'network' in file)).toEqual([]);
    expect(environments(synthesis).filter((each) => 'NODE_EXTRA_CA_CERTS' in each)).toEqual([]);
  });
});
