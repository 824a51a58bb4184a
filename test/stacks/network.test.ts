import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ConfigurationError } from '../../lib/options/configuration-error';
import { configuration, type WrittenDeployment } from '../support/lib/configuration';
import { CertificateAuthority } from '../support/lambdas/certificates';
import { writeFileSync } from 'node:fs';
import { provisionSynthesis } from '../support/lib/provisioned';
import { type Synthesis, synthesizeOnce, temporaryFolder } from '../support/lib/synthesis';

const SECRET = 'arn:aws:secretsmanager:eu-west-1:222233334444:secret:corporate/proxy-AbCdEf';
const KEY = 'arn:aws:kms:eu-west-1:222233334444:key/0f0f0f0f-1111-2222-3333-444444444444';
const PROXY = { url: 'http://proxy.example.org:3128' };
const PLATFORM_CALLERS = ['restore', 'rotate-credentials', 'token-refresh', 'token-sweep'];
const ALL = ['authorizer', 'credential-watch', ...PLATFORM_CALLERS].sort();

const withOption = (deployment: Partial<WrittenDeployment>) => synthesizeOnce(configuration(deployment));

/** The statements of the functions' roles that name a resource, by function. */
function statementsOn(synthesis: Synthesis, resource: string): Record<string, unknown> {
  const { account, roles } = provisionSynthesis(synthesis);
  return Object.fromEntries(
    roles.flatMap(({ arn, description }) => {
      const [, name] = /^Role of ([a-z-]+) of/.exec(description) ?? [];
      const statements = account.roles
        .get(arn)!
        .inlinePolicies.flatMap(({ document }) => document.Statement)
        .filter((statement) => JSON.stringify(statement).includes(resource));
      return name === undefined || statements.length === 0 ? [] : [[name, statements]];
    }),
  );
}

/** The number of functions whose code folder has a file. */
function functionsWith(synthesis: Synthesis, file: string): number {
  return synthesis.codeFolders().filter((folder) => readdirSync(folder).includes(file)).length;
}

const environments = (synthesis: Synthesis) =>
  synthesis
    .properties('AWS::Lambda::Function')
    .map(({ Environment }) => (Environment as { Variables?: object } | undefined)?.Variables ?? {});

describe('a proxy with credentials', () => {
  const synthesis = withOption({
    proxy: { ...PROXY, credentialsSecretArn: SECRET, credentialsKmsKeyArn: KEY },
  });

  it('is known to all functions, and loaded by those that call the platform', () => {
    expect(synthesis.deploymentFiles().map(({ network }) => network?.proxy?.url)).toEqual(
      ALL.map(() => PROXY.url),
    );
    expect(functionsWith(synthesis, 'network.js')).toBe(PLATFORM_CALLERS.length);
  });

  it('lets exactly those functions read the credentials', () => {
    const read = {
      Effect: 'Allow',
      Action: 'secretsmanager:GetSecretValue',
      Resource: SECRET,
    };
    const decrypt = {
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: KEY,
      Condition: {
        StringEquals: { 'kms:ViaService': 'secretsmanager.eu-west-1.amazonaws.com' },
        StringLike: { 'kms:EncryptionContext:SecretARN': [SECRET] },
      },
    };

    expect(statementsOn(synthesis, 'corporate/proxy')).toEqual(
      Object.fromEntries(PLATFORM_CALLERS.map((name) => [name, [read, decrypt]])),
    );
  });

  it('is loaded by every function if calls to AWS take it', () => {
    const all = withOption({ proxy: { ...PROXY, awsCalls: 'proxy' } });

    expect(functionsWith(all, 'network.js')).toBe(ALL.length);
    expect(statementsOn(all, 'corporate/proxy')).toEqual({});
  });
});

describe('certificate authorities', () => {
  it('of a parameter are read by every function', () => {
    const synthesis = withOption({ certificateAuthorities: { parameterName: '/corporate/ca' } });
    const read = {
      Effect: 'Allow',
      Action: 'ssm:GetParameter',
      Resource: 'arn:aws:ssm:eu-west-1:222233334444:parameter/corporate/ca',
    };

    expect(functionsWith(synthesis, 'network.js')).toBe(ALL.length);
    expect(statementsOn(synthesis, 'parameter/corporate')).toEqual(
      Object.fromEntries(ALL.map((name) => [name, [read]])),
    );
  });

  it('of a file are deployed with every function, and nothing else of the file', async () => {
    const file = join(temporaryFolder(), 'ca.pem');
    const { certificatePem } = await CertificateAuthority.create();
    writeFileSync(file, `# our proxy\n${certificatePem}\n-----BEGIN PRIVATE KEY-----`);
    const synthesis = withOption({ certificateAuthorities: { file } });

    const copies = synthesis
      .codeFolders()
      .map((folder) => readFileSync(join(folder, 'certificate-authorities.pem'), 'utf8').trim());
    expect(copies).toEqual(ALL.map(() => certificatePem.trim()));
    expect(environments(synthesis)).toEqual(
      ALL.map(() => ({ NODE_EXTRA_CA_CERTS: '/var/task/certificate-authorities.pem' })).map(
        (each) => expect.objectContaining(each) as object,
      ),
    );
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

    expect(() => withOption({ certificateAuthorities: { file } })).toThrow(ConfigurationError);
    expect(() => withOption({ certificateAuthorities: { file } })).toThrow(
      `certificateAuthorities.file: found ${JSON.stringify(file)}; allowed: ${allowed}`,
    );
  });
});

describe('without these options', () => {
  const synthesis = withOption({});

  it('functions have neither the module nor a setting for it', () => {
    expect(synthesis.codeFolders().map((folder) => readdirSync(folder).sort())).toEqual(
      ALL.map(() => ['deployment.json', 'handler.js']),
    );
    expect(synthesis.deploymentFiles().filter((file) => 'network' in file)).toEqual([]);
    expect(environments(synthesis).filter((each) => 'NODE_EXTRA_CA_CERTS' in each)).toEqual([]);
  });
});
