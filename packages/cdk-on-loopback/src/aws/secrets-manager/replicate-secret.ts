import { invalidParameter, invalidRequest } from '../aws-error';
import { type Input } from '../input';
import { type Call, type Operations } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { keyArnOf } from './key-access';
import { replicateTo, replicationStatus, stopReplicatingTo } from './replication';

/** A region with the key of its replica. */
interface AddedRegion {
  readonly region: string;
  readonly kmsKeyArn: string | undefined;
}

/** The operations on the replicas of secrets. */
export const REPLICATION_OPERATIONS: Operations = {
  /** Replicates a secret to further regions, or tries again where it failed. */
  ReplicateSecretToRegions: {
    parameters: ['SecretId', 'AddReplicaRegions', 'ForceOverwriteReplicaSecret'],
    run(input, call) {
      const added = readReplicaRegions(input, call);
      if (!added) throw invalidParameter('You must provide AddReplicaRegions.');
      const overwrites = input.optionalBoolean('ForceOverwriteReplicaSecret') ?? false;
      const secret = openSecret(input, call, 'ReplicateSecretToRegions', replicaContext(added, overwrites));
      requireNotDeleted(secret);
      for (const { region, kmsKeyArn } of added)
        replicateTo(call.account, secret, region, kmsKeyArn, overwrites);
      return { ARN: secret.arn, ReplicationStatus: replicationStatus(secret.replicas) };
    },
  },

  /** Ends replication to regions, and deletes the copies there. */
  RemoveRegionsFromReplication: {
    parameters: ['SecretId', 'RemoveReplicaRegions'],
    run(input, call) {
      const removed = input.optionalTexts('RemoveReplicaRegions', { min: 1 });
      if (!removed) throw invalidParameter('You must provide RemoveReplicaRegions.');
      const secret = openSecret(input, call, 'RemoveRegionsFromReplication');
      requireNotDeleted(secret);
      for (const region of removed) stopReplicatingTo(call.account.home, secret, region);
      return { ARN: secret.arn, ReplicationStatus: replicationStatus(secret.replicas) };
    },
  },

  /** Makes a replica a secret of its own, in its region. */
  StopReplicationToReplica: {
    parameters: ['SecretId'],
    run(input, call) {
      const secret = openSecret(input, call, 'StopReplicationToReplica');
      if (secret.primaryRegion === undefined) {
        throw invalidRequest('The secret is not a replica secret.');
      }
      secret.primaryRegion = undefined;
      return { ARN: secret.arn };
    },
  },
};

/**
 * The regions in `AddReplicaRegions`.
 * @throws {AwsError} InvalidParameterException for the secret's own region
 */
export function readReplicaRegions(input: Input, { account }: Call): AddedRegion[] | undefined {
  return input.optionalInputs('AddReplicaRegions')?.map((each) => {
    each.refuseOtherThan(['Region', 'KmsKeyId']);
    const region = each.text('Region', { max: 128 });
    if (region === account.region)
      throw invalidParameter(`Invalid replica region: ${region} is the primary region.`);
    const kmsKeyArn = keyArnOf(
      account.inRegion(region),
      each.optionalText('KmsKeyId', { min: 0, max: 2048 }),
    );
    return { region, kmsKeyArn };
  });
}

/** The condition keys of a request that adds replicas. @see Service Authorization Reference, list_awssecretsmanager */
export function replicaContext(
  added: readonly AddedRegion[],
  overwrites: boolean,
): Record<string, string | string[]> {
  return {
    'secretsmanager:AddReplicaRegions': added.map(({ region }) => region),
    'secretsmanager:ForceOverwriteReplicaSecret': String(overwrites),
  };
}
