import {
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
} from '@aws-sdk/client-secrets-manager';
import { type PolicyStatement, type Secret } from '../../../../local/account';
import { ACCOUNT_ID, KEY_ARN, LocalAws, refusalOf } from '../local-account';

const SESSION = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/caller/session`;
const allow = (
  Action: string,
  Resource = '*',
  Condition?: PolicyStatement['Condition'],
): PolicyStatement => ({ Effect: 'Allow', Action, Resource, ...(Condition ? { Condition } : {}) });

describe('permissions on secrets, through the SDK', () => {
  let aws: LocalAws;
  let secret: Secret;

  beforeEach(async () => {
    aws = new LocalAws();
    secret = aws.addSecret('latchkey/staging/mea/t1/api-key', { kmsKeyArn: KEY_ARN, tags: { team: 'red' } });
    aws.addVersion(secret, 'a'.repeat(32), 'one');
    await aws.start();
  });
  afterEach(() => aws.stop());

  const read = (SecretId: string, ...statements: PolicyStatement[]) =>
    aws.secretsManager(aws.roleKey(...statements)).send(new GetSecretValueCommand({ SecretId }));
  const write = (...statements: PolicyStatement[]) =>
    aws.secretsManager(aws.roleKey(...statements)).send(
      new PutSecretValueCommand({
        SecretId: secret.arn,
        ClientRequestToken: 'b'.repeat(32),
        SecretString: 'x',
      }),
    );
  const denialOf = async (promise: Promise<unknown>): Promise<string> => {
    const refusal = await refusalOf(promise);
    expect(refusal.name).toBe('AccessDeniedException');
    return refusal.message;
  };

  it('denies a role without permissions with AWS’s text, and prints it as a warning', async () => {
    const text =
      `User: ${SESSION} is not authorized to perform: secretsmanager:GetSecretValue on resource: ${secret.arn} ` +
      'because no identity-based policy allows the secretsmanager:GetSecretValue action';

    expect(await denialOf(read(secret.name))).toBe(text);
    expect(aws.warnings).toEqual([text]);
  });

  it('does not reveal to a role without permissions which secrets exist', async () => {
    expect(await denialOf(read('no/such/secret', allow('secretsmanager:*', secret.arn)))).toContain(
      'on resource: no/such/secret because no identity-based policy allows',
    );
  });

  it('denies by the resource policy of the secret', async () => {
    secret.resourcePolicy = {
      Version: '2012-10-17',
      Statement: { Effect: 'Deny', Principal: '*', Action: 'secretsmanager:GetSecretValue', Resource: '*' },
    };

    expect(await denialOf(read(secret.arn, allow('*')))).toContain(
      'with an explicit deny in a resource-based policy',
    );
  });

  it.each<[string, PolicyStatement['Condition'], boolean]>([
    [
      'the secret as named in the request',
      { StringLike: { 'secretsmanager:SecretId': 'latchkey/staging/*' } },
      true,
    ],
    ['the label', { StringEquals: { 'secretsmanager:VersionStage': 'AWSPREVIOUS' } }, false],
    ['a tag', { StringEquals: { 'aws:ResourceTag/team': 'red' } }, true],
    ['another tag', { StringEquals: { 'secretsmanager:ResourceTag/team': 'blue' } }, false],
    ['secure transport', { Bool: { 'aws:SecureTransport': 'true' } }, true],
  ])('evaluates conditions on %s', async (_, condition, expected) => {
    const reading = read(
      secret.name,
      allow('secretsmanager:GetSecretValue', '*', condition),
      allow('kms:Decrypt'),
    );

    if (expected) expect((await reading).SecretString).toBe('one');
    else await denialOf(reading);
  });

  // Secrets Manager user guide, security-encryption: permissions for the KMS key, encryption context
  describe('of the key', () => {
    const useSecret = allow('secretsmanager:*');
    const viaSecretsManager = {
      StringEquals: {
        'kms:ViaService': 'secretsmanager.eu-west-1.amazonaws.com',
        'kms:CallerAccount': ACCOUNT_ID,
        'kms:EncryptionContext:SecretARN': `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:latchkey/staging/mea/t1/api-key-AbCdEf`,
      },
    };

    it('are required to read; the denial is Secrets Manager’s, and names the action and key', async () => {
      const message = await denialOf(read(secret.arn, useSecret));

      expect(message).toMatch(/^Access to KMS is not allowed/);
      expect(message).toContain(`perform: kms:Decrypt on resource: ${KEY_ARN}`);
    });

    it('may be limited to Secrets Manager and to one secret', async () => {
      const decrypt = allow('kms:Decrypt', KEY_ARN, viaSecretsManager);

      expect((await read(secret.arn, useSecret, decrypt)).SecretString).toBe('one');
    });

    it('limited to another secret do not allow reading this one', async () => {
      const elsewhere = { StringLike: { 'kms:EncryptionContext:SecretARN': '*/other/*' } };
      const decrypt = allow('kms:Decrypt', KEY_ARN, elsewhere);

      expect(await denialOf(read(secret.arn, useSecret, decrypt))).toContain('Access to KMS is not allowed');
    });

    it('are required in the key policy, too', async () => {
      aws.account.keys.set(KEY_ARN, { arn: KEY_ARN, policy: { Statement: [] } });

      expect(await denialOf(read(secret.arn, allow('*')))).toContain(
        'no resource-based policy allows the kms:Decrypt',
      );
    });

    it('to encrypt and to decrypt are both required to write', async () => {
      expect(await denialOf(write(useSecret, allow('kms:Decrypt')))).toContain('kms:GenerateDataKey');
      expect(await denialOf(write(useSecret, allow('kms:GenerateDataKey')))).toContain('kms:Decrypt');
      expect(secret.versions.size).toBe(1);

      const generate = allow('kms:GenerateDataKey', KEY_ARN, viaSecretsManager);
      await write(useSecret, allow('kms:Decrypt', KEY_ARN), generate);

      expect(secret.versions.size).toBe(2);
    });

    it('are not required to describe', async () => {
      const client = aws.secretsManager(aws.roleKey(allow('secretsmanager:DescribeSecret')));

      expect((await client.send(new DescribeSecretCommand({ SecretId: secret.arn }))).KmsKeyId).toBe(KEY_ARN);
    });

    it('are not required for a secret under the account’s default key', async () => {
      secret.kmsKeyArn = undefined;

      expect((await read(secret.arn, useSecret)).SecretString).toBe('one');
    });

    it('follow an alias', async () => {
      secret.kmsKeyArn = `arn:aws:kms:eu-west-1:${ACCOUNT_ID}:alias/latchkey`;
      aws.account.keyAliases.set('alias/latchkey', KEY_ARN);

      expect((await read(secret.arn, useSecret, allow('kms:Decrypt', KEY_ARN))).SecretString).toBe('one');
    });
  });

  it('allows listing secrets only with permission on *', async () => {
    const list = (resource: string) =>
      aws
        .secretsManager(aws.roleKey(allow('secretsmanager:ListSecrets', resource)))
        .send(new ListSecretsCommand({}));

    await denialOf(list(secret.arn));
    expect((await list('*')).SecretList).toHaveLength(1);
  });
});
