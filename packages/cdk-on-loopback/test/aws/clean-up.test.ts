import { type PolicyStatement } from '../../src/account';
import { accountWith } from '../../src/testing/stacks';
import { ACCOUNT_ID, LocalAws } from '../../src/testing/local-aws';
import { signedFetch } from '../../src/testing/signed-fetch';
import { allow } from '../support/policies';

const DAY_SEC = 24 * 60 * 60;
const TARGETS = { kms: 'TrentService', logs: 'Logs_20140328', tagging: 'ResourceGroupsTaggingAPI_20170126' };
type Service = keyof typeof TARGETS;

const arn = (service: string, resource: string) => `arn:aws:${service}:eu-west-1:${ACCOUNT_ID}:${resource}`;
const stack = (Value: string) => [{ Key: 'stack', Value }];
const KEY_POLICY = {
  Version: '2012-10-17',
  Statement: { ...allow('kms:*'), Principal: { AWS: `arn:aws:iam::${ACCOUNT_ID}:root` } },
};

let aws: LocalAws;
let keyArn: string;

beforeEach(async () => {
  aws = new LocalAws();
  aws.account.keys.clear();
  accountWith(
    {
      Key: ['AWS::KMS::Key', { KeyPolicy: KEY_POLICY, Tags: stack('red') }],
      Alias: ['AWS::KMS::Alias', { AliasName: 'alias/latchkey', TargetKeyId: { Ref: 'Key' } }],
      Group: ['AWS::Logs::LogGroup', { LogGroupName: '/aws/lambda/a', Tags: stack('red') }],
      Other: ['AWS::Logs::LogGroup', { LogGroupName: '/aws/lambda/b', Tags: stack('blue') }],
      Untagged: ['AWS::Logs::LogGroup', { LogGroupName: '/aws/lambda/c' }],
      Parameter: [
        'AWS::SSM::Parameter',
        { Name: '/latchkey/a/b', Type: 'String', Value: 'x', Tags: { stack: 'red' } },
      ],
      Secret: ['AWS::SecretsManager::Secret', { Name: 's', Tags: stack('red') }],
      Topic: ['AWS::SNS::Topic', { TopicName: 'pages', Tags: stack('red') }],
    },
    { account: aws.account },
  );
  keyArn = [...aws.account.keys.keys()][0]!;
  await aws.start();
});
afterEach(() => aws.stop());

async function call(service: Service, operation: string, input: object, ...statements: PolicyStatement[]) {
  const key = statements.length > 0 ? aws.roleKey(...statements) : aws.administrator;
  const answer = await signedFetch(aws.url, key, service, {
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `${TARGETS[service]}.${operation}`,
    },
    body: JSON.stringify(input).replaceAll('$KEY', keyArn.split('/')[1]!),
  });
  return (await answer.json()) as Record<string, unknown>;
}

// https://docs.aws.amazon.com/resourcegroupstagging/latest/APIReference/API_GetResources.html
describe('GetResources', () => {
  const found = async (input: object) => {
    const { ResourceTagMappingList } = await call('tagging', 'GetResources', input);
    return (ResourceTagMappingList as { ResourceARN: string }[]).map(({ ResourceARN }) => ResourceARN).sort();
  };
  const named = (service: string) => ({
    ResourceTypeFilters: [service],
    TagFilters: [{ Key: 'stack', Values: ['red'] }],
  });

  it('returns the tagged resources of all services, and of deleted ones nothing', async () => {
    const secretArn = [...aws.account.secrets.keys()][0]!;
    const red = [
      keyArn,
      secretArn,
      arn('logs', 'log-group:/aws/lambda/a'),
      arn('sns', 'pages'),
      arn('ssm', 'parameter/latchkey/a/b'),
    ].sort();
    expect(await found({ TagFilters: [{ Key: 'stack', Values: ['red'] }] })).toEqual(red);

    await call('logs', 'DeleteLogGroup', { logGroupName: '/aws/lambda/a' });

    expect(await found({ TagFilters: [{ Key: 'stack', Values: ['red'] }] })).toEqual(
      red.filter((each) => !each.includes('log-group')),
    );
  });

  it.each<[string, object, string[]]>([
    ['by type of resource', named('logs:log-group'), [arn('logs', 'log-group:/aws/lambda/a')]],
    ['by service', named('ssm'), [arn('ssm', 'parameter/latchkey/a/b')]],
    ['of another type', named('logs:destination'), []],
    [
      'by several values',
      { ResourceTypeFilters: ['logs'], TagFilters: [{ Key: 'stack', Values: ['green', 'blue'] }] },
      [arn('logs', 'log-group:/aws/lambda/b')],
    ],
    ['by key alone', { ResourceTypeFilters: ['sns'], TagFilters: [{ Key: 'stack' }] }, [arn('sns', 'pages')]],
    ['by all filters', { TagFilters: [{ Key: 'stack' }, { Key: 'team' }] }, []],
    [
      'that have tags',
      { ResourceTypeFilters: ['logs'] },
      [arn('logs', 'log-group:/aws/lambda/a'), arn('logs', 'log-group:/aws/lambda/b')],
    ],
  ])('returns resources %s', async (_, input, expected) => {
    expect(await found(input)).toEqual(expected);
  });

  it('shows a secret with its tags of now', async () => {
    const [secret] = aws.account.secrets.values();
    secret!.tags = { team: 'red' };

    const answer = await call('tagging', 'GetResources', { ResourceTypeFilters: ['secretsmanager:secret'] });

    expect(answer).toEqual({
      PaginationToken: '',
      ResourceTagMappingList: [{ ResourceARN: secret!.arn, Tags: [{ Key: 'team', Value: 'red' }] }],
    });
  });

  it('pages, and rejects other sizes and tokens', async () => {
    const first = await call('tagging', 'GetResources', { ResourcesPerPage: 5 });
    const { PaginationToken } = first;
    const second = await call('tagging', 'GetResources', { ResourcesPerPage: 5, PaginationToken });

    expect([first, second].map((page) => (page.ResourceTagMappingList as object[]).length)).toEqual([5, 1]);
    expect(second.PaginationToken).toBe('');
    for (const input of [{ ResourcesPerPage: 101 }, { PaginationToken: 'x' }])
      expect(await call('tagging', 'GetResources', input)).toMatchObject({
        __type: 'InvalidParameterException',
      });
  });
});

// https://docs.aws.amazon.com/kms/latest/APIReference/API_ScheduleKeyDeletion.html
it('a key scheduled for deletion cannot be used anymore, and is gone at the end of its window', async () => {
  const state = async () => {
    const { KeyMetadata, __type } = await call('kms', 'DescribeKey', { KeyId: 'alias/latchkey' });
    return KeyMetadata ? (KeyMetadata as { KeyState: string }).KeyState : __type;
  };
  expect(await state()).toBe('Enabled');

  const answer = await call('kms', 'ScheduleKeyDeletion', { KeyId: '$KEY', PendingWindowInDays: 7 });

  expect(answer).toMatchObject({ KeyId: keyArn, KeyState: 'PendingDeletion', PendingWindowInDays: 7 });
  expect((answer.DeletionDate as number) - aws.clock.nowMs() / 1000).toBeLessThanOrEqual(7 * DAY_SEC);
  expect(await state()).toBe('PendingDeletion');
  expect(aws.account.keys.has(keyArn)).toBe(false);
  expect(await call('kms', 'ScheduleKeyDeletion', { KeyId: '$KEY' })).toMatchObject({
    __type: 'KMSInvalidStateException',
  });
  aws.account.keysInDeletion.get(keyArn)!.deletionAtMs = aws.clock.nowMs();
  expect(await state()).toBe('NotFoundException');
  expect(await call('kms', 'ListAliases', {})).toEqual({ Aliases: [], Truncated: false });
});

it.each<[Service, string, object, object]>([
  [
    'kms',
    'ListAliases',
    { KeyId: '$KEY' },
    { Aliases: [{ AliasName: 'alias/latchkey', AliasArn: arn('kms', 'alias/latchkey') }], Truncated: false },
  ],
  ['kms', 'ListAliases', { Marker: 'x' }, { __type: 'InvalidMarkerException' }],
  [
    'kms',
    'DescribeKey',
    { KeyId: 'missing' },
    { __type: 'NotFoundException', message: `Key '${arn('kms', 'key/missing')}' does not exist` },
  ],
  ['kms', 'DescribeKey', { KeyId: 'alias/missing' }, { __type: 'NotFoundException' }],
  ['kms', 'DeleteAlias', { AliasName: 'alias/latchkey' }, {}],
  ['kms', 'DeleteAlias', { AliasName: 'alias/missing' }, { __type: 'NotFoundException' }],
  [
    'kms',
    'ScheduleKeyDeletion',
    { KeyId: '$KEY', PendingWindowInDays: 6 },
    { __type: 'ValidationException' },
  ],
  ['logs', 'DeleteLogGroup', { logGroupName: '/missing' }, { __type: 'ResourceNotFoundException' }],
])('%s %s %j', async (service, operation, input, expected) => {
  expect(await call(service, operation, input)).toMatchObject(expected);
});

// Service Authorization Reference
it.each<[Service, string, object, PolicyStatement, PolicyStatement]>([
  ['tagging', 'GetResources', {}, allow('tag:GetResources'), allow('tag:GetResources', arn('sns', 'pages'))],
  [
    'kms',
    'ScheduleKeyDeletion',
    { KeyId: '$KEY', PendingWindowInDays: 7 },
    allow('kms:ScheduleKeyDeletion', arn('kms', 'key/*'), {
      NumericEquals: { 'kms:ScheduleKeyDeletionPendingWindowInDays': '7' },
    }),
    allow('kms:ScheduleKeyDeletion', '*', {
      NumericEquals: { 'kms:ScheduleKeyDeletionPendingWindowInDays': '30' },
    }),
  ],
  ['kms', 'DescribeKey', { KeyId: '$KEY' }, allow('kms:DescribeKey'), allow('kms:List*')],
  [
    'kms',
    'DeleteAlias',
    { AliasName: 'alias/latchkey' },
    allow('kms:DeleteAlias'),
    allow('kms:DeleteAlias', arn('kms', 'alias/*')),
  ],
  ['kms', 'ListAliases', {}, allow('kms:ListAliases'), allow('kms:ListAliases', arn('kms', 'key/*'))],
  [
    'logs',
    'DeleteLogGroup',
    { logGroupName: '/aws/lambda/a' },
    allow('logs:DeleteLogGroup', arn('logs', 'log-group:/aws/lambda/a:*')),
    allow('logs:DeleteLogGroup', arn('logs', 'log-group:/aws/lambda/b:*')),
  ],
])('%s %s with permission alone', async (service, operation, input, enough, tooLittle) => {
  expect(await call(service, operation, input, tooLittle)).toMatchObject({ __type: 'AccessDeniedException' });
  expect(await call(service, operation, input, enough)).not.toHaveProperty('__type');
});
