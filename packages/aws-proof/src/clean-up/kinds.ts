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

/** A kind of resource that a run creates outside its stacks, or that its stacks retain. */
export interface Kind {
  readonly name: string;
  /** The name of the resource with this ARN; undefined if the ARN is of another kind. */
  readonly nameFromArn?: (arn: string) => string | undefined;
  /** Lists at least the names that begin with the prefix. Absent if only their tags identify the resources. */
  readonly list?: (aws: AwsClients, prefix: string) => AsyncIterable<string>;
  /**
   * Removes a resource. Throws AWS's error if it does not exist.
   * @returns when AWS will delete it; undefined if it is deleted now
   */
  readonly remove: (aws: AwsClients, name: string) => Promise<Date | undefined>;
}

/** Cuts out what follows a marker such as `:log-group:`, without a suffix. */
const nameAfter =
  (marker: string, suffix = /$^/) =>
  (arn: string): string | undefined =>
    arn.includes(marker) ? arn.slice(arn.indexOf(marker) + marker.length).replace(suffix, '') : undefined;

const SECRET: Kind = {
  name: 'secret',
  // Its ARN ends with six random characters.
  nameFromArn: nameAfter(':secret:', /-[A-Za-z0-9]{6}$/),
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
    return undefined;
  },
};

const LOG_GROUP: Kind = {
  name: 'log group',
  nameFromArn: nameAfter(':log-group:', /:\*$/),
  async *list({ logs: client }, prefix) {
    for (const logGroupNamePrefix of [prefix, `/${prefix}`, `/aws/lambda/${prefix}`])
      for await (const { logGroups = [] } of paginateDescribeLogGroups({ client }, { logGroupNamePrefix }))
        yield* logGroups.map(({ logGroupName }) => logGroupName!);
  },
  remove: async ({ logs }, logGroupName) =>
    void (await logs.send(new DeleteLogGroupCommand({ logGroupName }))),
};

const KEY_ALIAS: Kind = {
  name: 'key alias',
  async *list({ kms: client }) {
    for await (const { Aliases = [] } of paginateListAliases({ client }, {}))
      yield* Aliases.map(({ AliasName }) => AliasName!);
  },
  remove: async ({ kms }, AliasName) => void (await kms.send(new DeleteAliasCommand({ AliasName }))),
};

const KEY: Kind = {
  name: 'key',
  nameFromArn: nameAfter(':key/'),
  remove: async (aws, KeyId) => {
    const scheduled = new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: KEY_DELETION_DAYS });
    return (await deletionDate(aws, KeyId)) ?? (await aws.kms.send(scheduled)).DeletionDate;
  },
};

/** When AWS will delete a key; undefined if nobody asked for that. A key in deletion keeps its tags. */
async function deletionDate({ kms }: AwsClients, KeyId: string): Promise<Date | undefined> {
  const { KeyMetadata } = await kms.send(new DescribeKeyCommand({ KeyId }));
  return KeyMetadata?.KeyState === 'PendingDeletion' ? KeyMetadata.DeletionDate : undefined;
}

/** Whether a key is in deletion or deleted. */
export const isKeyGone = (aws: AwsClients, keyId: string): Promise<boolean> =>
  deletionDate(aws, keyId).then((date) => date !== undefined, isMissing);

/** Whether AWS refused a call because the resource does not exist. */
export const isMissing = (error: unknown): boolean =>
  /(NotFound|NonExistent|DoesNotExist|NoSuchEntity)/.test((error as Error).name);

/** In the order of their removal: the key last, because secrets are encrypted with it. */
export const KINDS: readonly Kind[] = [SECRET, LOG_GROUP, KEY_ALIAS, KEY];
