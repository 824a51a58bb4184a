import { type Secret } from '../../account';
import { invalidParameter } from '../aws-error';
import { epochSec, type Operations } from '../operation';
import {
  findSecret,
  newSecretArn,
  notFound,
  readSecretId,
  requireNotDeleted,
  openSecret,
  requireSecretAllowed,
} from './find-secret';
import { requirePrimary } from './replication';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The operations that delete secrets, and restore them. */
export const DELETION_OPERATIONS: Operations = {
  DeleteSecret: {
    parameters: ['SecretId', 'RecoveryWindowInDays', 'ForceDeleteWithoutRecovery'],
    run(input, call) {
      const asked = input.optionalInteger('RecoveryWindowInDays');
      const isForced = input.optionalBoolean('ForceDeleteWithoutRecovery') ?? false;
      const secretId = readSecretId(input);
      const secret = findSecret(call, secretId);
      requireSecretAllowed(call, secretId, secret, 'DeleteSecret', {
        'secretsmanager:RecoveryWindowInDays': asked?.toString(),
        'secretsmanager:ForceDeleteWithoutRecovery': String(isForced),
      });
      if (asked !== undefined && isForced) {
        throw invalidParameter(
          "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
        );
      }
      if (asked !== undefined && (asked < 7 || asked > 30)) {
        throw invalidParameter('The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).');
      }
      if (secret) {
        requirePrimary(secret);
        requireUnreplicated(secret);
      }
      const nowMs = call.clock.nowMs();
      if (isForced) {
        // Also if there is none: API_DeleteSecret, ForceDeleteWithoutRecovery.
        const { arn = newSecretArn(call.account, secretId), name = secretId } = secret ?? {};
        call.account.secrets.delete(arn);
        return { ARN: arn, Name: name, DeletionDate: epochSec(nowMs) };
      }
      if (!secret) throw notFound();
      requireNotDeleted(secret);
      secret.deletedAtMs = nowMs;
      secret.purgeAtMs = nowMs + (asked ?? 30) * DAY_MS;
      call.account.secrets.inDeletion.add(secret.arn);
      return { ARN: secret.arn, Name: secret.name, DeletionDate: epochSec(secret.purgeAtMs) };
    },
  },

  RestoreSecret: {
    parameters: ['SecretId'],
    run(input, call) {
      const secret = openSecret(input, call, 'RestoreSecret');
      secret.deletedAtMs = undefined;
      secret.purgeAtMs = undefined;
      return { ARN: secret.arn, Name: secret.name };
    },
  },
};

/** @see https://github.com/gruntwork-io/cloud-nuke/issues/435 (the error) */
function requireUnreplicated({ arn, replicas }: Secret): void {
  if (replicas === undefined || replicas.size === 0) return;
  const regions = [...replicas.keys()].sort().join(', ');
  throw invalidParameter(`You can't delete secret ${arn} that still has replica regions [${regions}].`);
}
