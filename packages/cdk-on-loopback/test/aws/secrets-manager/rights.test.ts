import {
  BatchGetSecretValueCommand,
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretsCommand,
  PutSecretValueCommand,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager';
import { type PolicyStatement, type Secret } from '../../../src/account';
import { ACCOUNT_ID, KEY_ARN, LocalAws, refusalOf } from '../../../src/testing/local-aws';
import { allow } from '../../support/policies';

const NAME = 'latchkey/staging/mea/t1/api-key';
const SESSION = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/caller/session`;

let aws: LocalAws;
let secret: Secret;

beforeEach(async () => {
  aws = new LocalAws();
  secret = aws.addSecret(NAME, { kmsKeyArn: KEY_ARN, tags: { team: 'red' } });
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
      'kms:EncryptionContext:SecretARN': `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:${NAME}-AbCdEf`,
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

// Service Authorization Reference, list_awssecretsmanager
describe('of operations for set-up scripts', () => {
  const clientOf = (...statements: PolicyStatement[]) => aws.secretsManager(aws.roleKey(...statements));
  const newSecret = { Name: 'latchkey/new', SecretString: 'x' };
  const NEW_ARN = `arn:aws:secretsmanager:eu-west-1:${ACCOUNT_ID}:secret:latchkey/new-??????`;
  const Tags = [{ Key: 'team', Value: 'red' }];
  const sm = (action: string, ...rest: [Resource?: string, Condition?: PolicyStatement['Condition']]) =>
    allow(`secretsmanager:${action}`, ...rest);
  const key = allow('kms:*', KEY_ARN);
  const createWithKey = sm('CreateSecret', '*', { StringEquals: { 'secretsmanager:KmsKeyArn': KEY_ARN } });
  const describedAs = (text: string) =>
    sm('UpdateSecret', '*', { StringEquals: { 'secretsmanager:Description': text } });

  it.each<[string, object, PolicyStatement[], PolicyStatement[]]>([
    [
      'CreateSecret on the ARN that the secret will have',
      new CreateSecretCommand(newSecret),
      [sm('CreateSecret', NEW_ARN)],
      [sm('CreateSecret', NEW_ARN.replace('new', 'old'))],
    ],
    [
      'CreateSecret by name and tags, with TagResource',
      new CreateSecretCommand({ ...newSecret, Tags }),
      [
        sm('CreateSecret', '*', {
          StringLike: { 'secretsmanager:Name': 'latchkey/*' },
          StringEquals: { 'aws:RequestTag/team': 'red' },
        }),
        sm('TagResource'),
      ],
      [sm('CreateSecret')],
    ],
    [
      'CreateSecret by key, with rights on the key',
      new CreateSecretCommand({ ...newSecret, KmsKeyId: KEY_ARN.split('/')[1] }),
      [createWithKey, key],
      [createWithKey],
    ],
    [
      'UpdateSecret by description, with rights on the key',
      new UpdateSecretCommand({ SecretId: NAME, Description: 'a', SecretString: 'x' }),
      [describedAs('a'), key],
      [describedAs('b'), key],
    ],
    [
      'UpdateSecret to another key, with rights on that one',
      new UpdateSecretCommand({ SecretId: NAME, KmsKeyId: 'alias/none' }),
      [],
      [sm('UpdateSecret'), allow('kms:*')],
    ],
  ])('%s', async (_, command, enough, tooFew) => {
    const send = (statements: PolicyStatement[]) =>
      clientOf(...statements).send(command as CreateSecretCommand);

    await denialOf(send(tooFew));
    if (enough.length > 0) await send(enough);
  });

  it('BatchGetSecretValue reads only the secrets that the role may read', async () => {
    secret.kmsKeyArn = undefined;
    aws.addVersion(aws.addSecret('other'), 'b'.repeat(32), 'two');
    const client = clientOf(sm('BatchGetSecretValue'), sm('GetSecretValue', secret.arn));

    const answer = await client.send(
      new BatchGetSecretValueCommand({ SecretIdList: [secret.name, 'other'] }),
    );

    expect(answer.SecretValues?.map(({ Name }) => Name)).toEqual([secret.name]);
    expect(answer.Errors).toMatchObject([{ SecretId: 'other', ErrorCode: 'AccessDeniedException' }]);
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
