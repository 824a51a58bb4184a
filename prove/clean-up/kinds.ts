import {
  DeleteAlarmsCommand,
  DeleteDashboardsCommand,
  paginateDescribeAlarms,
  paginateListDashboards,
} from '@aws-sdk/client-cloudwatch';
import { DeleteLogGroupCommand, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  paginateListAttachedRolePolicies,
  paginateListRolePolicies,
  paginateListRoles,
} from '@aws-sdk/client-iam';
import {
  DeleteAliasCommand,
  DescribeKeyCommand,
  paginateListAliases,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import { paginateListSecrets } from '@aws-sdk/client-secrets-manager';
import { DeleteQueueCommand, GetQueueUrlCommand, paginateListQueues } from '@aws-sdk/client-sqs';
import { DeleteParameterCommand, paginateDescribeParameters } from '@aws-sdk/client-ssm';

import { type AwsClients } from '../../probes/system';
import { deleteSecret } from '../delete-secret';
import { type RunNames } from './run-names';

/** The shortest that AWS allows. */
const KEY_DELETION_DAYS = 7;

/** A kind of what a run leaves outside its stacks, or what a stack retains. */
export interface Kind {
  readonly name: string;
  /** The name of one in an ARN that has the run's tag; undefined if the ARN is of another kind. */
  readonly inArn?: (arn: string) => string | undefined;
  /** Names that may be the run's; the caller compares them. Absent where only the tag tells. */
  readonly list?: (aws: AwsClients, run: RunNames) => AsyncIterable<string>;
  /**
   * Removes one. One that does not exist is an error whose name says so.
   * @returns when AWS will delete it, if that is not now
   */
  readonly remove: (aws: AwsClients, name: string) => Promise<Date | undefined>;
}

const done = (): undefined => undefined;
/** The part of an ARN behind a beginning such as `:log-group:`. */
const behind =
  (beginning: string, trailing = /$^/) =>
  (arn: string): string | undefined =>
    arn.includes(beginning)
      ? arn.slice(arn.indexOf(beginning) + beginning.length).replace(trailing, '')
      : undefined;

const SECRET: Kind = {
  name: 'secret',
  // Its ARN ends with six random characters.
  inArn: (arn) => behind(':secret:', /-[A-Za-z0-9]{6}$/)(arn),
  async *list({ secretsManager: client }, { prefix }) {
    const Filters = [{ Key: 'name' as const, Values: [prefix] }];
    for await (const { SecretList = [] } of paginateListSecrets(
      { client },
      { Filters, IncludePlannedDeletion: true },
    ))
      yield* SecretList.map(({ Name }) => Name!);
  },
  remove: ({ secretsManager }, SecretId) => deleteSecret(secretsManager, SecretId).then(done),
};

const PARAMETER: Kind = {
  name: 'parameter',
  // A name without a slash has one in its ARN.
  inArn: (arn) => (/:parameter\/[^/]+$/.test(arn) ? behind(':parameter/')(arn) : behind(':parameter')(arn)),
  async *list({ ssm: client }, { prefix }) {
    const ParameterFilters = [{ Key: 'Name', Option: 'Contains', Values: [prefix] }];
    for await (const { Parameters = [] } of paginateDescribeParameters({ client }, { ParameterFilters }))
      yield* Parameters.map(({ Name }) => Name!);
  },
  remove: ({ ssm }, Name) => ssm.send(new DeleteParameterCommand({ Name })).then(done),
};

const ALARM: Kind = {
  name: 'alarm',
  inArn: behind(':alarm:'),
  async *list({ cloudWatch: client }, { prefix: AlarmNamePrefix }) {
    const AlarmTypes = ['MetricAlarm' as const, 'CompositeAlarm' as const];
    for await (const page of paginateDescribeAlarms({ client }, { AlarmNamePrefix, AlarmTypes })) {
      // Those that others are composed of are deleted last.
      const { CompositeAlarms = [], MetricAlarms = [] } = page;
      yield* [...CompositeAlarms, ...MetricAlarms].map(({ AlarmName }) => AlarmName!);
    }
  },
  remove: ({ cloudWatch }, name) =>
    cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [name] })).then(done),
};

const DASHBOARD: Kind = {
  name: 'dashboard',
  inArn: behind(':dashboard/'),
  async *list({ cloudWatch: client }, { prefix: DashboardNamePrefix }) {
    for await (const { DashboardEntries = [] } of paginateListDashboards({ client }, { DashboardNamePrefix }))
      yield* DashboardEntries.map(({ DashboardName }) => DashboardName!);
  },
  remove: ({ cloudWatch }, name) =>
    cloudWatch.send(new DeleteDashboardsCommand({ DashboardNames: [name] })).then(done),
};

const QUEUE: Kind = {
  name: 'queue',
  inArn: (arn) => (arn.split(':')[2] === 'sqs' ? arn.split(':')[5] : undefined),
  async *list({ sqs: client }, { prefix: QueueNamePrefix }) {
    for await (const { QueueUrls = [] } of paginateListQueues({ client }, { QueueNamePrefix }))
      yield* QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1));
  },
  remove: async ({ sqs }, QueueName) => {
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new DeleteQueueCommand({ QueueUrl }));
    return undefined;
  },
};

const ROLE: Kind = {
  name: 'role',
  inArn: behind(':role/', /^.*\//),
  async *list({ iam: client }) {
    for await (const { Roles = [] } of paginateListRoles({ client }, {}))
      yield* Roles.map(({ RoleName }) => RoleName!);
  },
  remove: async ({ iam }, RoleName) => {
    const [client, role] = [{ client: iam }, { RoleName }];
    for await (const { AttachedPolicies = [] } of paginateListAttachedRolePolicies(client, role))
      for (const { PolicyArn } of AttachedPolicies)
        await iam.send(new DetachRolePolicyCommand({ RoleName, PolicyArn }));
    for await (const { PolicyNames = [] } of paginateListRolePolicies(client, role))
      for (const PolicyName of PolicyNames)
        await iam.send(new DeleteRolePolicyCommand({ RoleName, PolicyName }));
    await iam.send(new DeleteRoleCommand(role));
    return undefined;
  },
};

const LOG_GROUP: Kind = {
  name: 'log group',
  inArn: behind(':log-group:', /:\*$/),
  async *list({ logs: client }, { prefix, restApiIds }) {
    const executionLogs = restApiIds.map((id) => `API-Gateway-Execution-Logs_${id}/`);
    for (const logGroupNamePrefix of [prefix, `/${prefix}`, `/aws/lambda/${prefix}`, ...executionLogs])
      for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix }))
        yield* logGroups.map(({ logGroupName }) => logGroupName!);
  },
  remove: ({ logs }, logGroupName) => logs.send(new DeleteLogGroupCommand({ logGroupName })).then(done),
};

const KEY_ALIAS: Kind = {
  name: 'key alias',
  async *list({ kms: client }) {
    for await (const { Aliases = [] } of paginateListAliases({ client }, {}))
      yield* Aliases.map(({ AliasName }) => AliasName!);
  },
  remove: ({ kms }, AliasName) => kms.send(new DeleteAliasCommand({ AliasName })).then(done),
};

const KEY: Kind = {
  name: 'key',
  inArn: behind(':key/'),
  remove: async ({ kms }, KeyId) => {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
    if (KeyMetadata?.KeyState === 'PendingDeletion') return KeyMetadata.DeletionDate;
    const scheduled = new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: KEY_DELETION_DAYS });
    return (await kms.send(scheduled)).DeletionDate;
  },
};

/** Whether a resource is a key that AWS will delete or has just deleted. It keeps its tags until then. */
export async function isInDeletion({ kms }: AwsClients, arn: string): Promise<boolean> {
  const KeyId = KEY.inArn!(arn);
  if (KeyId === undefined) return false;
  try {
    const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
    return KeyMetadata?.KeyState === 'PendingDeletion';
  } catch (error) {
    if ((error as Error).name === 'NotFoundException') return true;
    throw error;
  }
}

/** In the order of their removal: functions and alarms no longer write to a log group when it is deleted. */
export const KINDS: readonly Kind[] = [
  ...[SECRET, PARAMETER, ALARM, DASHBOARD, QUEUE, ROLE, LOG_GROUP, KEY_ALIAS],
  // Last, because secrets and queues are encrypted with it.
  KEY,
];
