import { gunzipSync } from 'node:zlib';

import { type Account, type PolicyStatement } from '../../../local/account';
import { deliveringLogs } from '../../../local/aws/log-subscriptions';
import { writeFunctionLogs } from '../../../local/aws/logs-service';
import { type Principal } from '../../../local/iam/principal';
import { RecordingReporter } from '../../support/local/recording-reporter';
import { accountWith, emptyAccount, provisionResources, roleFor } from '../../support/local/stacks';

const GROUP_ARN = 'arn:aws:logs:eu-west-1:111111111111:log-group:/refresh';
const COLLECTOR = 'arn:aws:lambda:eu-west-1:111111111111:function:collector';
const ADMINISTRATOR: Principal = {
  kind: 'administrator',
  accountId: '111111111111',
  arn: 'arn:aws:iam::111111111111:user/administrator',
};
type Resources = Parameters<typeof provisionResources>[0];

const GROUP: Resources = { Group: ['AWS::Logs::LogGroup', { LogGroupName: '/refresh' }] };
const filter = (more: object = {}): Resources[string] => [
  'AWS::Logs::SubscriptionFilter',
  { LogGroupName: { Ref: 'Group' }, DestinationArn: COLLECTOR, FilterPattern: '', ...more },
];

/** An account with a function that CloudWatch Logs may invoke for a log group. */
function withCollector(SourceArn = `${GROUP_ARN}:*`): Account {
  const account = emptyAccount();
  const assetDirs = new Map([['code', __dirname]]);
  return accountWith(
    {
      Role: roleFor('lambda.amazonaws.com'),
      Function: [
        'AWS::Lambda::Function',
        {
          FunctionName: 'collector',
          Code: { S3Bucket: 'assets', S3Key: 'code' },
          Handler: 'index.handler',
          Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
          Runtime: 'nodejs24.x',
        },
      ],
      Permission: [
        'AWS::Lambda::Permission',
        {
          Action: 'lambda:InvokeFunction',
          FunctionName: { Ref: 'Function' },
          Principal: 'logs.amazonaws.com',
          SourceAccount: '111111111111',
          SourceArn,
        },
      ],
    },
    { account, assetDirs },
  );
}

/** Writes lines to the group, and returns what functions were sent. */
function delivered(account: Account, lines: string[], reporter = new RecordingReporter()): unknown[] {
  const payloads: unknown[] = [];
  const write = deliveringLogs(writeFunctionLogs, {
    reporter,
    invoke: (functionArn, payload) => {
      const { awslogs } = JSON.parse(payload.toString()) as { awslogs: { data: string } };
      const text = gunzipSync(Buffer.from(awslogs.data, 'base64')).toString();
      payloads.push({ functionArn, ...(JSON.parse(text) as object) });
    },
  });
  const events = lines.map((message, n) => ({ timestampMs: n, message }));
  write(account, ADMINISTRATOR, '/refresh', events);
  return payloads;
}

it('a function gets the lines of a group as base64 of gzip', () => {
  const account = withCollector();
  accountWith({ ...GROUP, Filter: filter({ FilterName: 'all' }) }, { account });

  expect(delivered(account, ['one', 'two'])).toEqual([
    {
      functionArn: COLLECTOR,
      messageType: 'DATA_MESSAGE',
      owner: '111111111111',
      logGroup: '/refresh',
      logStream: '[$LATEST]local',
      subscriptionFilters: ['all'],
      logEvents: [
        { id: '0', timestamp: 0, message: 'one' },
        { id: '1', timestamp: 1, message: 'two' },
      ],
    },
  ]);
});

it('only lines that match the pattern are delivered', () => {
  const account = withCollector();
  accountWith({ ...GROUP, Filter: filter({ FilterPattern: '{ $.level = "error" }' }) }, { account });

  expect(delivered(account, ['{"level":"info"}'])).toEqual([]);
  expect(delivered(account, ['{"level":"info"}', '{"level":"error"}'])).toMatchObject([
    { logEvents: [{ message: '{"level":"error"}' }] },
  ]);
});

it('a function that CloudWatch Logs may not invoke is refused, and lines are lost once it may not', () => {
  const refusal =
    /Could not execute the lambda function\. Make sure you have given CloudWatch Logs permission/;
  const other = withCollector(GROUP_ARN.replace('/refresh', '/other'));
  expect(() => accountWith({ ...GROUP, Filter: filter() }, { account: other })).toThrow(refusal);
  expect(() => accountWith({ ...GROUP, Filter: filter() }, { account: emptyAccount() })).toThrow(refusal);

  const account = withCollector();
  accountWith({ ...GROUP, Filter: filter() }, { account });
  account.functions.get(COLLECTOR)!.resourcePolicy.Statement = [] as PolicyStatement[];
  const reporter = new RecordingReporter();

  expect(delivered(account, ['one'], reporter)).toEqual([]);
  expect(reporter.warnings).toEqual([expect.stringMatching(refusal)]);
  expect(account.logGroups.get('/refresh')!.events).toHaveLength(1);
});

it('a stream, which the laptop does not have, gets nothing', () => {
  const account = accountWith({
    ...GROUP,
    Role: roleFor('logs.amazonaws.com'),
    Filter: filter({
      DestinationArn: 'arn:aws:kinesis:eu-west-1:111111111111:stream/logs',
      RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
    }),
  });

  expect(delivered(account, ['one'])).toEqual([]);
});

it('a log group has at most two subscriptions', () => {
  const account = withCollector();

  expect(() => accountWith({ ...GROUP, One: filter(), Two: filter(), Three: filter() }, { account })).toThrow(
    'Resource limit exceeded.',
  );
});

it('a subscription that is removed gets nothing more', () => {
  const account = withCollector();
  const previous = provisionResources({ ...GROUP, Filter: filter() }, { account });
  provisionResources(GROUP, { account, previous });

  expect(delivered(account, ['one'])).toEqual([]);
});

describe('a log group with a key', () => {
  const LOGS = { Service: 'logs.eu-west-1.amazonaws.com' };
  const mayUse = (Action: string | string[], group = '/refresh'): PolicyStatement => ({
    Effect: 'Allow',
    Principal: LOGS,
    Action,
    Resource: '*',
    Condition: {
      ArnLike: { 'kms:EncryptionContext:aws:logs:arn': GROUP_ARN.replace('/refresh', group) },
    },
  });
  const ALL = ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'];
  const keyed = (statement: PolicyStatement): Resources => ({
    Key: ['AWS::KMS::Key', { KeyPolicy: { Version: '2012-10-17', Statement: [statement] } }],
    Group: ['AWS::Logs::LogGroup', { LogGroupName: '/refresh', KmsKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } }],
  });
  const refusal = `The specified KMS key does not exist or is not allowed to be used with Arn '${GROUP_ARN}'`;

  it('is written and read if CloudWatch Logs may use it', () => {
    const account = accountWith(keyed(mayUse(ALL)));

    delivered(account, ['one']);

    expect(account.logGroups.get('/refresh')!.events).toHaveLength(1);
  });

  it.each([
    ['of another group', mayUse(ALL, '/other')],
    ...ALL.map((action): [string, PolicyStatement] => [
      `without ${action}`,
      mayUse(ALL.filter((each) => each !== action)),
    ]),
  ])('cannot be created with a statement %s', (_, statement) => {
    expect(() => accountWith(keyed(statement))).toThrow(refusal);
  });

  it('takes no lines once CloudWatch Logs may not use the key', () => {
    const account = accountWith(keyed(mayUse(ALL)));
    [...account.keys.values()][0]!.policy.Statement = [];

    expect(() => delivered(account, ['one'])).toThrow(refusal);
  });

  it('changes its key, and loses it', () => {
    const account = emptyAccount();
    const previous = provisionResources(keyed(mayUse(ALL)), { account });
    const without = provisionResources({ ...keyed(mayUse(ALL)), ...GROUP }, { account, previous });
    expect(account.logGroups.get('/refresh')).not.toHaveProperty('kmsKeyArn');

    provisionResources(keyed(mayUse(ALL)), { account, previous: without });
    expect(account.logGroups.get('/refresh')).toHaveProperty('kmsKeyArn');
  });
});
