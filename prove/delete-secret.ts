import {
  DeleteSecretCommand,
  DescribeSecretCommand,
  RemoveRegionsFromReplicationCommand,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

/**
 * Deletes a secret without a recovery window, and its replicas, without which AWS refuses.
 * @see https://github.com/gruntwork-io/cloud-nuke/issues/435
 */
export async function deleteSecret(client: SecretsManagerClient, SecretId: string): Promise<void> {
  const remove = () => client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
  try {
    await remove();
  } catch (error) {
    if ((error as Error).name !== 'InvalidParameterException') throw error;
    const { ReplicationStatus = [] } = await client.send(new DescribeSecretCommand({ SecretId }));
    const RemoveReplicaRegions = ReplicationStatus.flatMap(({ Region }) => Region ?? []);
    if (RemoveReplicaRegions.length === 0) throw error;
    await client.send(new RemoveRegionsFromReplicationCommand({ SecretId, RemoveReplicaRegions }));
    await remove();
  }
}
