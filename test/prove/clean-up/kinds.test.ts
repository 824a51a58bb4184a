import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  DeleteDashboardsCommand,
  DescribeAlarmsCommand,
  ListDashboardsCommand,
} from '@aws-sdk/client-cloudwatch';
import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  IAMClient,
  ListAttachedRolePoliciesCommand,
  ListRolePoliciesCommand,
  ListRolesCommand,
} from '@aws-sdk/client-iam';
import { DeleteQueueCommand, GetQueueUrlCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';

import { KINDS } from '../../../prove/clean-up/kinds';
import { clientsWith } from '../../../prove/clients';

const RUN = { prefix: 'prove-aaaa1111', restApiIds: ['abc123'], keyIds: [] };
const aws = clientsWith({ region: 'eu-west-1' });
const kind = (name: string) => KINDS.find((each) => each.name === name)!;
const namesOf = async (name: string) => {
  const names: string[] = [];
  for await (const each of kind(name).list!(aws, RUN)) names.push(each);
  return names;
};

/** What only AWS has, or lists in pages. */
describe('a kind of what a run leaves', () => {
  const cloudWatch = mockClient(CloudWatchClient);
  const iam = mockClient(IAMClient);
  const logs = mockClient(CloudWatchLogsClient);
  const sqs = mockClient(SQSClient);
  beforeEach(() => [cloudWatch, iam, logs, sqs].forEach((client) => client.reset()));
  const sent = (client: { calls(): { args: readonly unknown[] }[] }) =>
    client.calls().map(({ args: [command] }) => {
      const { constructor, input } = command as { constructor: { name: string }; input: object };
      return [constructor.name, input];
    });

  test('role: its policies are removed with it', async () => {
    iam
      .on(ListRolesCommand)
      .resolvesOnce({ Roles: [{ RoleName: 'a' }] as never, IsTruncated: true, Marker: 'm' });
    iam.on(ListRolesCommand, { Marker: 'm' }).resolves({ Roles: [{ RoleName: 'b' }] as never });
    const attached = [{ PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }];
    iam.on(ListAttachedRolePoliciesCommand).resolves({ AttachedPolicies: attached });
    iam.on(ListRolePoliciesCommand).resolves({ PolicyNames: ['inline'] });
    for (const command of [DetachRolePolicyCommand, DeleteRolePolicyCommand, DeleteRoleCommand] as never[])
      iam.on(command).resolves({});

    expect(await namesOf('role')).toEqual(['a', 'b']);
    await kind('role').remove(aws, 'b');

    expect(sent(iam).filter(([name]) => /^(Detach|Delete)/.test(name as string))).toEqual([
      ['DetachRolePolicyCommand', { RoleName: 'b', PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
      ['DeleteRolePolicyCommand', { RoleName: 'b', PolicyName: 'inline' }],
      ['DeleteRoleCommand', { RoleName: 'b' }],
    ]);
  });

  test('queue', async () => {
    const url = 'https://sqs.eu-west-1.amazonaws.com/111111111111/prove-aaaa1111-dead';
    sqs.on(ListQueuesCommand, { QueueNamePrefix: 'prove-aaaa1111' }).resolves({ QueueUrls: [url] });
    sqs.on(GetQueueUrlCommand).resolves({ QueueUrl: url });
    sqs.on(DeleteQueueCommand).resolves({});

    const [name] = await namesOf('queue');
    await kind('queue').remove(aws, name!);

    expect(name).toBe('prove-aaaa1111-dead');
    expect(sent(sqs).at(-1)).toEqual(['DeleteQueueCommand', { QueueUrl: url }]);
  });

  test('dashboard', async () => {
    cloudWatch.on(ListDashboardsCommand).resolves({ DashboardEntries: [{ DashboardName: 'd' }] });
    cloudWatch.on(DeleteDashboardsCommand).resolves({});

    expect(await namesOf('dashboard')).toEqual(['d']);
    await kind('dashboard').remove(aws, 'd');

    expect(sent(cloudWatch)).toEqual([
      ['ListDashboardsCommand', { DashboardNamePrefix: 'prove-aaaa1111', NextToken: undefined }],
      ['DeleteDashboardsCommand', { DashboardNames: ['d'] }],
    ]);
  });

  test('alarm: composite ones before those that they consist of', async () => {
    cloudWatch.on(DescribeAlarmsCommand).resolves({
      MetricAlarms: [{ AlarmName: 'metric' }],
      CompositeAlarms: [{ AlarmName: 'composite' }],
    });
    cloudWatch.on(DeleteAlarmsCommand).resolves({});

    expect(await namesOf('alarm')).toEqual(['composite', 'metric']);
    await kind('alarm').remove(aws, 'metric');

    expect(sent(cloudWatch).at(-1)).toEqual(['DeleteAlarmsCommand', { AlarmNames: ['metric'] }]);
  });

  test('log group: also the execution logs of its APIs', async () => {
    logs.on(DescribeLogGroupsCommand).resolves({ logGroups: [] });

    await namesOf('log group');

    expect(
      sent(logs).map(([, input]) => (input as { logGroupNamePrefix: string }).logGroupNamePrefix),
    ).toEqual([
      'prove-aaaa1111',
      '/prove-aaaa1111',
      '/aws/lambda/prove-aaaa1111',
      'API-Gateway-Execution-Logs_abc123/',
    ]);
  });

  test.each([
    [
      'secret',
      'arn:aws:secretsmanager:eu-west-1:111111111111:secret:prove-aaaa1111/a-AbCdEf',
      'prove-aaaa1111/a',
    ],
    ['parameter', 'arn:aws:ssm:eu-west-1:111111111111:parameter/prove-aaaa1111/a', '/prove-aaaa1111/a'],
    ['parameter', 'arn:aws:ssm:eu-west-1:111111111111:parameter/plain', 'plain'],
    [
      'alarm',
      'arn:aws:cloudwatch:eu-west-1:111111111111:alarm:prove-aaaa1111-x/token',
      'prove-aaaa1111-x/token',
    ],
    ['queue', 'arn:aws:sqs:eu-west-1:111111111111:prove-aaaa1111-dead', 'prove-aaaa1111-dead'],
    ['log group', 'arn:aws:logs:eu-west-1:111111111111:log-group:/aws/lambda/a', '/aws/lambda/a'],
    ['log group', 'arn:aws:logs:eu-west-1:111111111111:log-group:a:*', 'a'],
    ['role', 'arn:aws:iam::111111111111:role/path/prove-aaaa1111-role', 'prove-aaaa1111-role'],
    ['dashboard', 'arn:aws:cloudwatch::111111111111:dashboard/prove-aaaa1111', 'prove-aaaa1111'],
    ['key', 'arn:aws:kms:eu-west-1:111111111111:key/1234abcd', '1234abcd'],
    [undefined, 'arn:aws:lambda:eu-west-1:111111111111:function:prove-aaaa1111-restore', undefined],
    [undefined, 'arn:aws:sns:eu-west-1:111111111111:prove-aaaa1111-alarms', undefined],
    [undefined, 'arn:aws:apigateway:eu-west-1::/restapis/abc123', undefined],
  ])('%s has the ARN %s', (name, arn, inArn) => {
    const found = KINDS.flatMap((each) =>
      each.inArn?.(arn) === undefined ? [] : [[each.name, each.inArn(arn)]],
    );

    expect(found).toEqual(name === undefined ? [] : [[name, inArn]]);
  });
});
