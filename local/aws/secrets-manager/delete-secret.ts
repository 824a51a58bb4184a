import { AwsError } from '../aws-error';
import { epochSec, type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';

const DAY_MS = 24 * 60 * 60 * 1000;

/** @see API_DeleteSecret */
export const deleteSecret: Operation = {
  parameters: ['SecretId', 'RecoveryWindowInDays', 'ForceDeleteWithoutRecovery'],
  run(input, call) {
    const asked = input.optionalInteger('RecoveryWindowInDays');
    const isForced = input.optionalBoolean('ForceDeleteWithoutRecovery') ?? false;
    const secret = openSecret(input, call, 'DeleteSecret', {
      ...(asked === undefined ? {} : { 'secretsmanager:RecoveryWindowInDays': String(asked) }),
      'secretsmanager:ForceDeleteWithoutRecovery': String(isForced),
    });
    if (asked !== undefined && isForced) {
      throw invalid("You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.");
    }
    if (asked !== undefined && (asked < 7 || asked > 30)) {
      throw invalid('The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).');
    }
    const nowMs = call.clock.nowMs();
    if (isForced) {
      call.account.secrets.delete(secret.arn);
      return { ARN: secret.arn, Name: secret.name, DeletionDate: epochSec(nowMs) };
    }
    requireNotDeleted(secret);
    secret.deletedAtMs = nowMs;
    secret.purgeAtMs = nowMs + (asked ?? 30) * DAY_MS;
    return { ARN: secret.arn, Name: secret.name, DeletionDate: epochSec(secret.purgeAtMs) };
  },
};

/** @see API_RestoreSecret */
export const restoreSecret: Operation = {
  parameters: ['SecretId'],
  run(input, call) {
    const secret = openSecret(input, call, 'RestoreSecret');
    secret.deletedAtMs = undefined;
    secret.purgeAtMs = undefined;
    return { ARN: secret.arn, Name: secret.name };
  },
};

function invalid(message: string): AwsError {
  return new AwsError('InvalidParameterException', message);
}
