import { type Operations } from '../operation';
import { batchGetSecretValue } from './batch-get-value';
import { createSecret } from './create-secret';
import { deleteSecret, restoreSecret } from './delete-secret';
import { describeSecret, listSecretVersionIds } from './describe-secret';
import { getSecretValue } from './get-value';
import { listSecrets } from './list-secrets';
import { putSecretValue } from './put-value';
import {
  removeRegionsFromReplication,
  replicateSecretToRegions,
  stopReplicationToReplica,
} from './replicate-secret';
import { cancelRotateSecret, rotateSecret } from './rotate-secret';
import { tagResource } from './tags';
import { updateSecret } from './update-secret';
import { updateSecretVersionStage } from './update-version-stage';

/** The Secrets Manager operations supported here. */
export const SECRETS_MANAGER_OPERATIONS: Operations = {
  BatchGetSecretValue: batchGetSecretValue,
  CancelRotateSecret: cancelRotateSecret,
  CreateSecret: createSecret,
  DeleteSecret: deleteSecret,
  DescribeSecret: describeSecret,
  GetSecretValue: getSecretValue,
  ListSecretVersionIds: listSecretVersionIds,
  ListSecrets: listSecrets,
  PutSecretValue: putSecretValue,
  RemoveRegionsFromReplication: removeRegionsFromReplication,
  ReplicateSecretToRegions: replicateSecretToRegions,
  RestoreSecret: restoreSecret,
  RotateSecret: rotateSecret,
  StopReplicationToReplica: stopReplicationToReplica,
  TagResource: tagResource,
  UpdateSecret: updateSecret,
  UpdateSecretVersionStage: updateSecretVersionStage,
};
