import { type Secret } from '../../account';
import { invalidParameter } from '../aws-error';
import { type Call, epochSec, type Operations } from '../operation';
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
const DEFAULT_WINDOW_DAYS = 30;

/** The operations that delete secrets, and restore them. */
export const DELETION_OPERATIONS: Operations = {
  DeleteSecret: {
    parameters: ['SecretId', 'RecoveryWindowInDays', 'ForceDeleteWithoutRecovery'],
    run(input, call) {
      const windowDays = input.optionalInteger('RecoveryWindowInDays');
      const isForced = input.optionalBoolean('ForceDeleteWithoutRecovery') ?? false;
      const secretId = readSecretId(input);
      const secret = findSecret(call, secretId);
      requireSecretAllowed(call, secretId, secret, 'DeleteSecret', {
        'secretsmanager:RecoveryWindowInDays': windowDays?.toString(),
        'secretsmanager:ForceDeleteWithoutRecovery': String(isForced),
      });
      requireValidWindow(windowDays, isForced);
      if (secret) {
        requirePrimary(secret);
        requireUnreplicated(secret);
      }
      if (isForced) return deleteAtOnce(secretId, secret, call);
      if (!secret) throw notFound();
      requireNotDeleted(secret);
      secret.deletedAtMs = call.clock.nowMs();
      secret.purgeAtMs = secret.deletedAtMs + (windowDays ?? DEFAULT_WINDOW_DAYS) * DAY_MS;
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

function requireValidWindow(windowDays: number | undefined, isForced: boolean): void {
  if (windowDays === undefined) return;
  if (isForced)
    throw invalidParameter(
      "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
    );
  if (windowDays < 7 || windowDays > 30)
    throw invalidParameter('The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).');
}

/** Also succeeds without a secret. @see API_DeleteSecret, ForceDeleteWithoutRecovery */
function deleteAtOnce(secretId: string, secret: Secret | undefined, { account, clock }: Call): object {
  const { arn = newSecretArn(account, secretId), name = secretId } = secret ?? {};
  account.secrets.delete(arn);
  return { ARN: arn, Name: name, DeletionDate: epochSec(clock.nowMs()) };
}

/** @see https://github.com/gruntwork-io/cloud-nuke/issues/435 (the error) */
function requireUnreplicated({ arn, replicas }: Secret): void {
  if (replicas === undefined || replicas.size === 0) return;
  const regions = [...replicas.keys()].sort().join(', ');
  throw invalidParameter(`You can't delete secret ${arn} that still has replica regions [${regions}].`);
}
