import { type Secret, type SecretVersion } from '../../account';
import { AwsError } from '../aws-error';
import { type Input } from '../input';
import { type Call, type Operation } from '../operation';
import { openSecret, requireNotDeleted } from './find-secret';
import { keyOf, requireKeyAccess } from './key-access';
import { moveLabel, requireLabelsWithinQuota } from './labels';
import { addVersion, readVersionId } from './secret-versions';

const MAX_VALUE_BYTES = 65_536;

type Value = Pick<SecretVersion, 'secretString' | 'secretBinary'>;

/**
 * Adds a version with the request's token as its id. A repeated token has no effect with the same value, and fails with another.
 * @see API_PutSecretValue
 */
export const putSecretValue: Operation = {
  parameters: [
    'SecretId',
    'ClientRequestToken',
    'SecretString',
    'SecretBinary',
    'VersionStages',
    'RotationToken',
  ],
  run(input, call) {
    const versionId = readVersionId(input);
    const asked = input.optionalTexts('VersionStages', { min: 1, max: 20 });
    const value = readValue(input);
    // AWS validates it for a role that the rotation function assumes; here no role is assumed.
    input.optionalText('RotationToken', { min: 36, max: 256 });
    const secret = openSecret(
      input,
      call,
      'PutSecretValue',
      asked ? { 'secretsmanager:VersionStage': asked } : {},
    );
    requireNotDeleted(secret);
    requireKeyAccess(call, secret, versionId, ['kms:GenerateDataKey', 'kms:Decrypt']);

    const existing = secret.versions.get(versionId);
    if (!existing || !hasValue(existing))
      write(secret, existing, versionId, value, asked ?? ['AWSCURRENT'], call);
    else if (!isSameValue(existing, value)) {
      throw new AwsError(
        'ResourceExistsException',
        `You can't use ClientRequestToken ${versionId} because that value is already in use for a version of secret ${secret.arn}.`,
      );
    }
    const stages = [...(secret.versions.get(versionId)?.stages ?? [])];
    return { ARN: secret.arn, Name: secret.name, VersionId: versionId, VersionStages: stages };
  },
};

function write(
  secret: Secret,
  empty: SecretVersion | undefined,
  versionId: string,
  value: Value,
  asked: readonly string[],
  call: Call,
): void {
  const nowMs = call.clock.nowMs();
  // A secret's first version becomes current, whatever labels are requested.
  const labels = secret.versions.size === 0 ? [...asked, 'AWSCURRENT'] : asked;
  requireLabelsWithinQuota(secret, labels);
  const version = empty ?? addVersion(secret, versionId, nowMs);
  Object.assign(version, value, { keys: [keyOf(secret)] });
  for (const label of labels) moveLabel(secret, label, version);
  secret.lastChangedAtMs = nowMs;
  if (labels.includes('AWSCURRENT')) call.rotator.valuePut(secret);
}

function readValue(input: Input): Value {
  const text = input.optionalText('SecretString');
  const base64 = input.optionalText('SecretBinary');
  if ((text === undefined) === (base64 === undefined)) {
    throw new AwsError(
      'InvalidParameterException',
      'You must provide either SecretString or SecretBinary, and not both.',
    );
  }
  const secretBinary = base64 === undefined ? undefined : Buffer.from(base64, 'base64');
  const sizeBytes = secretBinary?.length ?? Buffer.byteLength(text ?? '');
  if (sizeBytes > MAX_VALUE_BYTES) {
    throw new AwsError(
      'InvalidParameterException',
      `The secret value can't be larger than ${MAX_VALUE_BYTES} bytes.`,
    );
  }
  return text === undefined ? { secretBinary } : { secretString: text };
}

function hasValue({ secretString, secretBinary }: Value): boolean {
  return secretString !== undefined || secretBinary !== undefined;
}

function isSameValue(a: Value, b: Value): boolean {
  if (a.secretBinary && b.secretBinary) return a.secretBinary.equals(b.secretBinary);
  return a.secretString === b.secretString && a.secretBinary === b.secretBinary;
}
