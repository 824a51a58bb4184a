import {
  DescribeSecretCommand,
  PutSecretValueCommand,
  ReplicateSecretToRegionsCommand,
} from '@aws-sdk/client-secrets-manager';

import { notRun, type Probe, verdictOf } from '../probe';
import { type System } from '../system';

/** Regions that are enabled in every account of their partition, and one to use if the run is in it. */
const REGIONS: Readonly<Record<string, readonly [string, string]>> = {
  aws: ['us-east-1', 'us-west-2'],
  'aws-cn': ['cn-north-1', 'cn-northwest-1'],
  'aws-us-gov': ['us-gov-west-1', 'us-gov-east-1'],
};

export const replicatedWithoutValue: Probe = {
  id: 'replicated-without-value',
  group: 'store',
  subject: 'A secret without a value that is replicated to another region',
  reliedOn:
    'its first value is replicated, or its replication is shown as `Failed`, which `latchkey doctor` reports',
  otherwise: 'with `replicaRegions`, a new tenant’s secrets have no replicas, and nobody is notified',
  sources: [
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets.html',
    'https://docs.aws.amazon.com/secretsmanager/latest/userguide/replicate-secrets_troubleshoot.html',
  ],
  async look(system) {
    const { secretsManager } = system.aws;
    const region = REGIONS[system.place.partition]?.find((each) => each !== system.place.region);
    if (region === undefined) return notRun('a partition with one region only');
    const { arn: SecretId } = await system.secret();
    const AddReplicaRegions = [{ Region: region }];
    await secretsManager.send(new ReplicateSecretToRegionsCommand({ SecretId, AddReplicaRegions }));
    const empty = await settled(system, SecretId);
    await secretsManager.send(new PutSecretValueCommand({ SecretId, SecretString: '{}' }));
    const filled = await settled(system, SecretId);
    return verdictOf(
      filled === 'InSync' || filled === 'Failed',
      `without a value: ${empty}; with its first value: ${filled}`,
    );
  },
};

/** The status of replication once it is no longer in progress. */
async function settled({ aws: { secretsManager }, time }: System, SecretId: string): Promise<string> {
  const status = await time.until(
    async () => {
      const { ReplicationStatus: [replica] = [] } = await secretsManager.send(
        new DescribeSecretCommand({ SecretId }),
      );
      if (replica === undefined) return 'none';
      return replica.Status === 'InProgress' ? undefined : replica.Status;
    },
    { withinSec: 120 },
  );
  return status ?? 'InProgress';
}
