import { type Account } from '../../../src/account';
import { accountWith, emptyAccount, roleFor } from '../../../src/testing/stacks';

const BUNDLE = __dirname;
const assetDirs = new Map([['abc.zip', BUNDLE]]);
const functionProperties = {
  Code: { S3Bucket: { 'Fn::Sub': 'cdk-assets-${AWS::AccountId}' }, S3Key: 'abc.zip' },
  Handler: 'index.handler',
  Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
  Runtime: 'nodejs24.x',
};
const deploy = (
  properties: Record<string, unknown> = {},
  more: Record<string, [string, Record<string, unknown>]> = {},
  limits: Partial<Account> = {},
): Account =>
  accountWith(
    {
      Role: roleFor('lambda.amazonaws.com'),
      Function: ['AWS::Lambda::Function', { ...functionProperties, ...properties }],
      ...more,
    },
    { assetDirs, account: Object.assign(emptyAccount(), limits) },
  );
const onlyFunction = ({ functions }: Account) => [...functions.values()][0];

describe('AWS::Lambda::Function', () => {
  test("has Lambda's defaults, and no log group before its first line", () => {
    const account = deploy();

    const name = 'app-Function-XXXXXXXXXXXX';
    expect(onlyFunction(account)).toEqual({
      arn: `arn:aws:lambda:eu-west-1:111111111111:function:${name}`,
      name,
      roleArn: 'arn:aws:iam::111111111111:role/app-Role-XXXXXXXXXXXX',
      codeDir: BUNDLE,
      handler: 'index.handler',
      timeoutSec: 3,
      memoryMb: 128,
      environment: {},
      logGroupName: `/aws/lambda/${name}`,
      resourcePolicy: { Version: '2012-10-17', Statement: [] },
      asyncInvoke: { maximumRetryAttempts: 2, maximumEventAgeSec: 21_600 },
    });
    expect([...account.logGroups.keys()]).toEqual([]);
  });

  test("uses the template's properties", () => {
    const account = deploy(
      {
        Timeout: 30,
        MemorySize: '256',
        ReservedConcurrentExecutions: 0,
        Environment: { Variables: { A: '1' } },
        LoggingConfig: { LogGroup: { Ref: 'Logs' } },
      },
      { Logs: ['AWS::Logs::LogGroup', { RetentionInDays: 30 }] },
    );

    expect(onlyFunction(account)).toMatchObject({
      timeoutSec: 30,
      memoryMb: 256,
      reservedConcurrency: 0,
      environment: { A: '1' },
      logGroupName: 'app-Logs-XXXXXXXXXXXX',
    });
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ['code from an unknown asset', { Code: { S3Bucket: 'b', S3Key: 'other.zip' } }, /no asset other\.zip/],
    ['code in the template', { Code: { ZipFile: 'x' } }, /code in the template/],
    ['another runtime', { Runtime: 'python3.13' }, /only Node\.js functions/],
    ['a role that does not exist', { Role: 'arn:aws:iam::111111111111:role/missing' }, /no role .*missing/],
    ['over 4 KB of variables', { Environment: { Variables: { A: 'x'.repeat(4096) } } }, /exceed the 4 KB/],
    ['layers', { Layers: ['arn'] }, /"Layers"/],
  ])('refuses %s', (_, properties, message) => {
    expect(() => deploy(properties)).toThrow(message);
  });

  // https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html
  test.each([
    [10, 1, '10'],
    [100, 1, '100'],
    [101, 2, '100'],
  ])(
    'with a quota of %d, refuses to reserve %d, as Lambda does',
    (concurrentExecutions, reserved, minimum) => {
      expect(() => deploy({ ReservedConcurrentExecutions: reserved }, {}, { concurrentExecutions })).toThrow(
        `below its minimum value of [${minimum}]`,
      );
    },
  );

  test.each([
    [10, 0],
    [101, 1],
    [1_000, 900],
  ])('with a quota of %d, reserves %d', (concurrentExecutions, reserved) => {
    const account = deploy({ ReservedConcurrentExecutions: reserved }, {}, { concurrentExecutions });

    expect(account.unreservedConcurrency()).toBe(concurrentExecutions - reserved);
  });

  test('counts what other functions have reserved', () => {
    const ReservedConcurrentExecutions = 450;
    const deployBeside = (other: number) =>
      deploy(
        { ReservedConcurrentExecutions },
        { Other: ['AWS::Lambda::Function', { ...functionProperties, ReservedConcurrentExecutions: other }] },
      );

    expect(() => deployBeside(450)).not.toThrow();
    expect(() => deployBeside(451)).toThrow('minimum value of [100]');
  });

  test('leaves out layers with a wrapper script, which does not run here', () => {
    const Environment = { Variables: { AWS_LAMBDA_EXEC_WRAPPER: '/opt/otel-handler' } };

    expect(() => deploy({ Layers: ['arn'], Environment })).not.toThrow();
  });
});

describe('AWS::Lambda::Permission', () => {
  const statementOf = (properties: Record<string, unknown>) => {
    const FunctionName = { 'Fn::GetAtt': ['Function', 'Arn'] };
    const account = deploy({}, { Permission: ['AWS::Lambda::Permission', { FunctionName, ...properties }] });
    return [onlyFunction(account)?.resourcePolicy.Statement].flat()[0];
  };

  test('adds a statement to the policy of the function, with its conditions', () => {
    const statement = statementOf({
      Action: 'lambda:InvokeFunction',
      Principal: 'secretsmanager.amazonaws.com',
      SourceAccount: { Ref: 'AWS::AccountId' },
      SourceArn: 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:*',
    });

    expect(statement).toEqual({
      Sid: 'app-Permission-XXXXXXXXXXXX',
      Effect: 'Allow',
      Principal: { Service: 'secretsmanager.amazonaws.com' },
      Action: 'lambda:InvokeFunction',
      Resource: 'arn:aws:lambda:eu-west-1:111111111111:function:app-Function-XXXXXXXXXXXX',
      Condition: {
        StringEquals: { 'aws:SourceAccount': '111111111111' },
        ArnLike: { 'aws:SourceArn': 'arn:aws:secretsmanager:eu-west-1:111111111111:secret:*' },
      },
    });
  });

  // https://github.com/mavi888/bedrock-agent-lambda/pull/1 (the message), API_AddPermission (the patterns)
  test.each([
    ['Action', 'InvokeFunction'],
    ['Action', 'secretsmanager:GetSecretValue'],
    ['SourceAccount', 'mine'],
    ['SourceArn', 'arn:aws:secretsmanager:*:*:secret:*'],
    ['PrincipalOrgID', 'mine'],
    ['Principal', 'a b'],
  ])('refuses the %s %s', (name, value) => {
    const properties = { Action: 'lambda:InvokeFunction', Principal: '*', [name]: value };

    expect(() => statementOf(properties)).toThrow(
      `stack app, Permission: ${name}: string [${value}] does not match pattern `,
    );
  });

  test('allows an account by its id, for a function named by Ref', () => {
    const statement = statementOf({
      Action: 'lambda:*',
      FunctionName: { Ref: 'Function' },
      Principal: '222222222222',
    });

    expect(statement).toMatchObject({ Principal: { AWS: '222222222222' } });
  });
});

describe('AWS::Lambda::EventInvokeConfig', () => {
  test('sets retries, maximum age and the on-failure destination', () => {
    const account = deploy(
      {},
      {
        Queue: ['AWS::SQS::Queue', {}],
        Config: [
          'AWS::Lambda::EventInvokeConfig',
          {
            FunctionName: { Ref: 'Function' },
            Qualifier: '$LATEST',
            MaximumEventAgeInSeconds: 300,
            MaximumRetryAttempts: 0,
            DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
          },
        ],
      },
    );

    expect(onlyFunction(account)?.asyncInvoke).toEqual({
      maximumEventAgeSec: 300,
      maximumRetryAttempts: 0,
      onFailureArn: 'arn:aws:sqs:eu-west-1:111111111111:app-Queue-XXXXXXXXXXXX',
    });
  });
});
