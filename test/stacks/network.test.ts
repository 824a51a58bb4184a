import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type WrittenDeployment } from '../support/lib/configuration';
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
});

it.each<[string, Partial<WrittenDeployment>]>([
  ['a proxy is', { proxy: { ...PROXY, awsCalls: 'proxy' } }],
  ['authorities of a parameter are', { certificateAuthorities: { parameterName: '/corporate/ca' } }],
])('%s loaded by every function if calls to AWS need it', (_, deployment) => {
  expect(functionsWith(synthesisWith(deployment), 'network.js')).toBe(ALL.length);
});

describe('certificate authorities', () => {
  const BROKEN = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';

  it('of a file are deployed with every function, and nothing else of the file', async () => {
    const file = join(temporaryFolder(), 'ca.pem');
    const { certificatePem } = await CertificateAuthority.create();
    writeFileSync(file, `# our proxy\n${certificatePem}\n-----BEGIN PRIVATE KEY-----`);
    const synthesis = synthesisWith({ certificateAuthorities: { file } });

    const copies = synthesis
      .codeFolders()
      .map((folder) => readFileSync(join(folder, 'certificate-authorities.pem'), 'utf8').trim());
    expect(copies).toEqual(ALL.map(() => certificatePem.trim()));
    const Variables = { NODE_EXTRA_CA_CERTS: '/var/task/certificate-authorities.pem' };
    for (const { Environment } of synthesis.properties('AWS::Lambda::Function'))
      expect(Environment).toMatchObject({ Variables });
    expect(functionsWith(synthesis, 'network.js')).toBe(0);
  });

  it.each([
    ['that is missing', undefined, 'a readable file, relative to the working directory'],
    ['without a certificate', 'nothing', 'a PEM file with at least one certificate'],
    ['with a broken one', BROKEN, 'a file whose certificates can be read'],
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
