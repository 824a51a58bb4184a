import { DeleteLogGroupCommand, paginateDescribeLogGroups } from '@aws-sdk/client-cloudwatch-logs';
import {
  DeleteAliasCommand,
  DescribeKeyCommand,
  paginateListAliases,
  ScheduleKeyDeletionCommand,
} from '@aws-sdk/client-kms';
import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  paginateListSecrets,
  RemoveRegionsFromReplicationCommand,
} from '@aws-sdk/client-secrets-manager';

import { type AwsClients } from '../clients';

/** The shortest that AWS allows. */
const KEY_DELETION_DAYS = 7;

/** A kind of what a run leaves outside its stacks, or what its stacks retain. */
export interface Kind {
  readonly name: string;
  /** The name of one in an ARN that has the run's tag; undefined if the ARN is of another kind. */
  readonly inArn?: (arn: string) => string | undefined;
  /** Names that may be the run's; the caller compares them. Absent where only the tag tells. */
  readonly list?: (aws: AwsClients, prefix: string) => AsyncIterable<string>;
  /**
   * Removes one. One that does not exist is an error whose name says so.
   * @returns a date, when AWS will delete it, if that is not now
   */
  readonly remove: (aws: AwsClients, name: string) => Promise<unknown>;
}

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
  inArn: behind(':secret:', /-[A-Za-z0-9]{6}$/),
  async *list({ secretsManager: client }, prefix) {
    const Filters = [{ Key: 'name' as const, Values: [prefix] }];
    const input = { Filters, IncludePlannedDeletion: true };
    for await (const { SecretList = [] } of paginateListSecrets({ client }, input))
      yield* SecretList.map(({ Name }) => Name!);
  },
  // AWS refuses to delete one with replicas.
  remove: async ({ secretsManager }, SecretId) => {
    const { ReplicationStatus = [] } = await secretsManager.send(new DescribeSecretCommand({ SecretId }));
    const RemoveReplicaRegions = ReplicationStatus.map(({ Region }) => Region!);
    if (RemoveReplicaRegions.length > 0)
      await secretsManager.send(new RemoveRegionsFromReplicationCommand({ SecretId, RemoveReplicaRegions }));
    await secretsManager.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  },
};

const LOG_GROUP: Kind = {
  name: 'log group',
  inArn: behind(':log-group:', /:\*$/),
  async *list({ logs: client }, prefix) {
    for (const logGroupNamePrefix of [prefix, `/${prefix}`, `/aws/lambda/${prefix}`])
      for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix }))
        yield* logGroups.map(({ logGroupName }) => logGroupName!);
  },
  remove: ({ logs }, logGroupName) => logs.send(new DeleteLogGroupCommand({ logGroupName })),
};

const KEY_ALIAS: Kind = {
  name: 'key alias',
  async *list({ kms: client }) {
    for await (const { Aliases = [] } of paginateListAliases({ client }, {}))
      yield* Aliases.map(({ AliasName }) => AliasName!);
  },
  remove: ({ kms }, AliasName) => kms.send(new DeleteAliasCommand({ AliasName })),
};

const KEY: Kind = {
  name: 'key',
  inArn: behind(':key/'),
  remove: async (aws, KeyId) => {
    const scheduled = new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: KEY_DELETION_DAYS });
    return (await deletionDate(aws, KeyId)) ?? (await aws.kms.send(scheduled)).DeletionDate;
  },
};

/** When AWS will delete a key; undefined if nobody asked for that. A key in deletion keeps its tags. */
export async function deletionDate({ kms }: AwsClients, KeyId: string): Promise<Date | undefined> {
  const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
  return KeyMetadata?.KeyState === 'PendingDeletion' ? KeyMetadata.DeletionDate : undefined;
}

/** In the order of their removal: the key last, because secrets are encrypted with it. */
export const KINDS: readonly Kind[] = [SECRET, LOG_GROUP, KEY_ALIAS, KEY];
