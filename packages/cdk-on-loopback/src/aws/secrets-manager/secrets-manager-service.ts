import { type Operations } from '../operation';
import { CREATE_AND_UPDATE_OPERATIONS } from './create-and-update';
import { DELETION_OPERATIONS } from './delete-secret';
import { DESCRIPTION_OPERATIONS } from './describe-and-list';
import { REPLICATION_OPERATIONS } from './replicate-secret';
import { ROTATION_OPERATIONS } from './rotate-secret';
import { tagResource } from './tags';
import { updateSecretVersionStage } from './update-version-stage';
import { VALUE_OPERATIONS } from './values';

export const SECRETS_MANAGER_OPERATIONS: Operations = {
  ...CREATE_AND_UPDATE_OPERATIONS,
  ...DELETION_OPERATIONS,
  ...DESCRIPTION_OPERATIONS,
  ...REPLICATION_OPERATIONS,
  ...ROTATION_OPERATIONS,
  ...VALUE_OPERATIONS,
  TagResource: tagResource,
  UpdateSecretVersionStage: updateSecretVersionStage,
};
