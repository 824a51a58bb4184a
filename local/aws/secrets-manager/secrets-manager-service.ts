import { type Operations } from '../operation';
import { deleteSecret, restoreSecret } from './delete-secret';
import { describeSecret, listSecrets, listSecretVersionIds } from './describe-secret';
import { getSecretValue } from './get-value';
import { getResourcePolicy, putResourcePolicy, tagResource, untagResource } from './policy-and-tags';
import { putSecretValue } from './put-value';
import { cancelRotateSecret, rotateSecret } from './rotate-secret';
import { updateSecretVersionStage } from './update-version-stage';

/** The Secrets Manager operations supported here. */
export const SECRETS_MANAGER_OPERATIONS: Operations = {
  CancelRotateSecret: cancelRotateSecret,
  DeleteSecret: deleteSecret,
  DescribeSecret: describeSecret,
  GetResourcePolicy: getResourcePolicy,
  GetSecretValue: getSecretValue,
  ListSecretVersionIds: listSecretVersionIds,
  ListSecrets: listSecrets,
  PutResourcePolicy: putResourcePolicy,
  PutSecretValue: putSecretValue,
  RestoreSecret: restoreSecret,
  RotateSecret: rotateSecret,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateSecretVersionStage: updateSecretVersionStage,
};
