import { type Operations } from '../operation';
import { batchGetSecretValue } from './batch-get-value';
import { createSecret } from './create-secret';
import { deleteSecret, restoreSecret } from './delete-secret';
import { describeSecret, listSecretVersionIds } from './describe-secret';
import { getSecretValue } from './get-value';
import { listSecrets } from './list-secrets';
import {
  deleteResourcePolicy,
  getResourcePolicy,
  putResourcePolicy,
  tagResource,
  untagResource,
} from './policy-and-tags';
import { putSecretValue } from './put-value';
import {
  removeRegionsFromReplication,
  replicateSecretToRegions,
  stopReplicationToReplica,
} from './replicate-secret';
import { cancelRotateSecret, rotateSecret } from './rotate-secret';
import { updateSecret } from './update-secret';
import { updateSecretVersionStage } from './update-version-stage';

/** The Secrets Manager operations supported here. */
export const SECRETS_MANAGER_OPERATIONS: Operations = {
  BatchGetSecretValue: batchGetSecretValue,
  CancelRotateSecret: cancelRotateSecret,
  CreateSecret: createSecret,
  DeleteResourcePolicy: deleteResourcePolicy,
  DeleteSecret: deleteSecret,
  DescribeSecret: describeSecret,
  GetResourcePolicy: getResourcePolicy,
  GetSecretValue: getSecretValue,
  ListSecretVersionIds: listSecretVersionIds,
  ListSecrets: listSecrets,
  PutResourcePolicy: putResourcePolicy,
  PutSecretValue: putSecretValue,
  RemoveRegionsFromReplication: removeRegionsFromReplication,
  ReplicateSecretToRegions: replicateSecretToRegions,
  RestoreSecret: restoreSecret,
  RotateSecret: rotateSecret,
  StopReplicationToReplica: stopReplicationToReplica,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateSecret: updateSecret,
  UpdateSecretVersionStage: updateSecretVersionStage,
};
