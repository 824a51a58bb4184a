import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Canary, findCanaries } from '../support/canaries';
import { expectRed } from '../support/holes/expect-red';
import { tenant, ALL_TOKENS } from '../support/lib/configuration';
import { type PlacedResource, synthesisWith } from '../support/lib/synthesis';

/** Environment variables of a synthesis that must not appear in any file. */
const canaries: Canary[] = [
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'CLIENT_SECRET',
  'API_KEY',
  'NODE_AUTH_TOKEN',
].map((name) => ({ name, value: randomBytes(18).toString('base64url') }));
for (const { name, value } of canaries) process.env[name] = value;

const synthesis = synthesisWith({ tenants: [tenant('tenant-a', ALL_TOKENS), tenant('tenant-b')] });
const all = (type: string): PlacedResource[] => {
  const found = synthesis.resources(type);
  // Every rule passes for an empty list.
  expect(found).not.toEqual([]);
  return found;
};

// https-only.test.ts says what the policies deny.
describe('transport', () => {
  it('has a policy for every queue and topic, and for every secret, which blocks public ones', () => {
    expect(all('AWS::SecretsManager::ResourcePolicy').map(({ Properties }) => Properties)).toMatchObject(
      all('AWS::SecretsManager::Secret').map(({ logicalId }) => ({
        SecretId: { Ref: logicalId },
        BlockPublicPolicy: true,
      })),
    );
    expect(all('AWS::SQS::QueuePolicy').map(({ Properties }) => Properties.Queues)).toEqual(
      all('AWS::SQS::Queue').map(({ logicalId }) => [{ Ref: logicalId }]),
    );
    expect(all('AWS::SNS::TopicPolicy').map(({ Properties }) => Properties.Topics)).toEqual(
      all('AWS::SNS::Topic').map(({ logicalId }) => [{ Ref: logicalId }]),
    );
  });
});

describe('encryption at rest', () => {
  it('uses the deployment’s key for every secret', () => {
    for (const { Properties } of all('AWS::SecretsManager::Secret')) {
      expect(Properties.KmsKeyId).toEqual({
        Ref: expect.stringMatching(/^SsmParameterValuelatchkeystagingglobalkeyarn/) as string,
      });
    }
  });

  it('is enabled for every queue', () => {
    all('AWS::SQS::Queue').forEach(({ Properties }) => expect(Properties.SqsManagedSseEnabled).toBe(true));
  });

  it('uses keys that AWS rotates', () => {
    all('AWS::KMS::Key').forEach(({ Properties }) => expect(Properties.EnableKeyRotation).toBe(true));
  });
});

describe('secrecy', () => {
  it('neither sets nor generates the value of a secret', () => {
    for (const { Properties } of all('AWS::SecretsManager::Secret')) {
      expect(Object.keys(Properties).sort()).toEqual(['Description', 'KmsKeyId', 'Name', 'Tags']);
    }
  });

  it('outputs only addresses, paths and commands, and reads no secret into a template', () => {
    const OUTPUTS = /^(RestoreApiEndpoint\w*|DashboardUrl|ParameterPath|CheckCommand|NextCommand)$/;
    for (const stack of synthesis.stackNames()) {
      const { Outputs = {} } = synthesis.template(stack);
      Object.keys(Outputs).forEach((name) => expect(name).toMatch(OUTPUTS));
      expect(JSON.stringify(synthesis.template(stack))).not.toContain('resolve:');
    }
  });

  it('puts only ARNs into the environment of functions', () => {
    const variables = all('AWS::Lambda::Function').flatMap(({ Properties }) =>
      Object.entries((Properties.Environment as { Variables?: Record<string, unknown> })?.Variables ?? {}),
    );

    expect(variables).toEqual([
      ['TOKEN_REFRESH_ARN', { 'Fn::GetAtt': [expect.stringMatching(/^TokensTokenRefreshFunction/), 'Arn'] }],
      ['RESTORE_ARN', { 'Fn::GetAtt': [expect.stringMatching(/^RestoreFunction/), 'Arn'] }],
    ]);
  });

  function expectNoCanaryInFiles() {
    const files = readdirSync(synthesis.assembly.directory, { recursive: true, encoding: 'utf8' })
      .map((name) => join(synthesis.assembly.directory, name))
      .filter((file) => statSync(file).isFile());

    expect(files.length).toBeGreaterThan(10);
    for (const file of files) {
      const text = readFileSync(file, 'utf8');
      expect(findCanaries(canaries, [{ place: file, text }])).toEqual([]);
    }
  }

  it('writes no environment variable of the synthesis to the assembly', expectNoCanaryInFiles);

  it('turns red when a file of the assembly holds a secret', async () => {
    const [{ value }] = canaries as [Canary];
    const file = join(synthesis.assembly.directory, 'asset.canary.json');
    writeFileSync(file, JSON.stringify({ encoded: Buffer.from(`tenant:${value}`).toString('base64') }));
    try {
      await expectRed(expectNoCanaryInFiles);
    } finally {
      rmSync(file);
    }
  });
});

describe('retention', () => {
  /**
   * `RetainExceptOnCreate`, so that a first deployment that failed can be repeated: `Retain` would also keep what the failed
   * one created, and the retry would meet its names. A replaced resource is always kept.
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
   * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatereplacepolicy.html
   */
  it('retains credentials and keys once they are created, and deletes everything else with its stack', () => {
    const policies = synthesis
      .resources()
      .filter(({ Type }) => /::(Secret|Key|Queue|LogGroup)$/.test(Type))
      .map(({ Type, Properties, DeletionPolicy, UpdateReplacePolicy }) => {
        expect(UpdateReplacePolicy).toBe(DeletionPolicy === 'Delete' ? 'Delete' : 'Retain');
        const kind = (Properties.Tags as { Key: string; Value: string }[] | undefined)?.find(
          ({ Key }) => Key === 'latchkey:kind',
        )?.Value;
        return `${kind ?? Type}: ${DeletionPolicy}`;
      });

    expect([...new Set(policies)].sort()).toEqual([
      'AWS::KMS::Key: RetainExceptOnCreate',
      'AWS::Logs::LogGroup: Delete',
      'AWS::SQS::Queue: Delete',
      'api-key: RetainExceptOnCreate',
      'client-credentials: RetainExceptOnCreate',
      'token: Delete',
    ]);
  });

  it('is 90 days for every log group', () => {
    all('AWS::Logs::LogGroup').forEach(({ Properties }) => expect(Properties.RetentionInDays).toBe(90));
  });
});
