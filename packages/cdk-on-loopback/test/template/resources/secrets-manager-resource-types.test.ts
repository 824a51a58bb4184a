import { accountWith, emptyAccount, NOW_MS, provisionResources } from '../../../src/testing/stacks';

const SECRET = 'AWS::SecretsManager::Secret';
const NAME = 'latchkey/staging/mea/tenant-1/api-key';
const publicStatement = {
  Effect: 'Allow',
  Principal: '*',
  Action: 'secretsmanager:GetSecretValue',
  Resource: '*',
};

describe('AWS::SecretsManager::Secret', () => {
  test('starts without any version, under an ARN with six random characters', () => {
    const account = emptyAccount();
    const Key: [string, Record<string, unknown>] = [
      'AWS::KMS::Key',
      { KeyPolicy: { Statement: [{ ...publicStatement, Action: 'kms:*' }] } },
    ];
    const KmsKeyId = { 'Fn::GetAtt': ['Key', 'Arn'] };
    const Tags = [{ Key: 'k', Value: 'v' }];

    const stack = provisionResources(
      { Key, Secret: [SECRET, { Name: NAME, Description: 'd', KmsKeyId, Tags }] },
      { account },
    );

    const arn = `arn:aws:secretsmanager:eu-west-1:111111111111:secret:${NAME}-XXXXXX`;
    expect(stack.resources.get('Secret')).toMatchObject({ ref: arn, attributes: { Id: arn } });
    expect(account.secrets.get(arn)).toEqual({
      arn,
      name: NAME,
      description: 'd',
      kmsKeyArn: [...account.keys.keys()][0],
      tags: { k: 'v' },
      createdAtMs: NOW_MS,
      lastChangedAtMs: NOW_MS,
      versions: new Map(),
    });
  });

  test.each([
    [{ SecretString: 'x' }, 'x'],
    [{}, undefined],
  ])('starts with the value of the template: %j', (properties, value) => {
    const account = emptyAccount();

    provisionResources({ Secret: [SECRET, { Name: NAME, ...properties }] }, { account });

    const [version] = account.secrets.named(NAME)!.versions.values();
    expect(version?.secretString).toBe(value);
  });

  test('generates a value of letters and digits, another one for each secret', () => {
    const account = emptyAccount();
    const GenerateSecretString = { ExcludePunctuation: true, PasswordLength: 40 };
    provisionResources(
      {
        One: [SECRET, { Name: 'one', GenerateSecretString }],
        Other: [SECRET, { Name: 'other', GenerateSecretString }],
      },
      { account },
    );

    const versions = [...account.secrets.values()].flatMap((secret) => [...secret.versions.values()]);
    expect(versions.map(({ stages }) => [...stages])).toEqual([['AWSCURRENT'], ['AWSCURRENT']]);
    const values = versions.map(({ secretString }) => secretString);
    expect(new Set(values).size).toBe(2);
    for (const value of values) expect(value).toMatch(/^[A-Za-z0-9]{40}$/);
  });

  test('generates a field of a JSON value', () => {
    const account = emptyAccount();
    const GenerateSecretString = { SecretStringTemplate: '{"user":"a"}', GenerateStringKey: 'password' };

    provisionResources({ Secret: [SECRET, { Name: NAME, GenerateSecretString }] }, { account });

    const [version] = account.secrets.named(NAME)!.versions.values();
    expect(JSON.parse(version!.secretString!)).toEqual({
      user: 'a',
      password: expect.stringMatching(/^[A-Za-z0-9]{32}$/) as string,
    });
  });

  test("refuses a name that exists, in CloudFormation's words", () => {
    const account = emptyAccount();
    provisionResources({ Secret: [SECRET, { Name: NAME }] }, { account, stackName: 'first' });

    expect(() =>
      provisionResources({ Secret: [SECRET, { Name: NAME }] }, { account, stackName: 'second' }),
    ).toThrow(
      `stack second, Secret: Resource handler returned message: "The operation failed because the secret ${NAME} already exists.`,
    );
  });

  test('rejects an unknown key', () => {
    expect(() => provisionResources({ Secret: [SECRET, { Name: NAME, KmsKeyId: 'alias/missing' }] })).toThrow(
      /no KMS key alias\/missing/,
    );
  });
});

describe('AWS::SecretsManager::ResourcePolicy', () => {
  const withPolicy = (statement: object) =>
    accountWith({
      Secret: [SECRET, { Name: NAME }],
      Policy: [
        'AWS::SecretsManager::ResourcePolicy',
        { SecretId: { Ref: 'Secret' }, ResourcePolicy: { Statement: [statement] }, BlockPublicPolicy: true },
      ],
    });

  test('becomes the policy of its secret', () => {
    const statement = { ...publicStatement, Effect: 'Deny' };

    const [secret] = withPolicy(statement).secrets.values();

    expect(secret?.resourcePolicy?.Statement).toEqual([statement]);
  });

  test('is rejected if it allows everybody', () => {
    expect(() => withPolicy(publicStatement)).toThrow(/grants broad access/);
    expect(() => withPolicy({ ...publicStatement, Principal: { AWS: ['*'] } })).toThrow(
      /grants broad access/,
    );
  });
});
